/** Certificates: what OpenSSL's reader finds in them, and whether Deno's own TLS, the strictest user, takes them. */
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { createAuthority, createClientIdentity, createServerIdentity } from "./certificates.ts";

Deno.test("certificates are for loopback and for a user with groups, and signed by the authority", async () => {
  const authority = await createAuthority();
  const ca = new X509Certificate(authority.certificate);
  const server = new X509Certificate((await createServerIdentity(authority)).certificate);
  const subject = { user: "ann", groups: ["system:masters", "team"] };
  const client = new X509Certificate((await createClientIdentity(authority, subject)).certificate);
  assert(ca.ca);
  assert(server.verify(ca.publicKey) && client.verify(ca.publicKey));
  assert.equal(server.checkIP("127.0.0.1"), "127.0.0.1");
  assert.equal(server.checkHost("localhost"), "localhost");
  assert.equal(server.checkHost("example.com"), undefined);
  assert.equal(client.subject, "O=system:masters\nO=team\nCN=ann");
  assert.notEqual(server.serialNumber, client.serialNumber);
});

Deno.test("Deno's TLS, which refuses version 1, takes the server's and sends the client's", async () => {
  const authority = await createAuthority();
  const server = await createServerIdentity(authority);
  const user = await createClientIdentity(authority, { user: "ann", groups: [] });
  const options = { port: 0, hostname: "127.0.0.1", cert: server.certificate, key: server.privateKey };
  await using http = Deno.serve({ ...options, onListen: () => undefined }, () => new Response("hello"));
  const trust = { caCerts: [authority.certificate], cert: user.certificate, key: user.privateKey };
  using client = Deno.createHttpClient(trust);
  const response = await fetch(`https://127.0.0.1:${http.addr.port}/`, { client });
  assert.equal(await response.text(), "hello");
});
