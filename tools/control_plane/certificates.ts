/**
 * Fresh keys and certificates for one control plane, as PEM texts: an authority, a server certificate for loopback, and
 * client certificates. X.509 version 3 throughout, since Deno's TLS (rustls) refuses version 1.
 *
 * node-forge writes the certificates: one package without dependencies, in plain JavaScript, so that neither openssl nor Go
 * has to be there (users of KUBEBUILDER_ASSETS may have neither). Keys come from WebCrypto, which is fast.
 */
// @ts-types="@types/node-forge"
import forge from "node-forge";

/** A key pair as PEM: PKCS#8 and SPKI. */
export interface KeyPair {
  readonly privateKey: string;
  readonly publicKey: string;
}

/** A certificate and its private key as PEM. */
export interface Identity {
  readonly certificate: string;
  readonly privateKey: string;
}

/** Who a client is to Kubernetes: the user name (common name) and the groups (organizations). */
export interface Subject {
  readonly user: string;
  readonly groups: readonly string[];
}

const DAY = 24 * 60 * 60 * 1000;
const LIFETIME_DAYS = 30;

/** A new RSA key pair of 2048 bits. */
export async function createKeyPair(): Promise<KeyPair> {
  const keys = await crypto.subtle.generateKey(
    {
      name: "RSASSA-PKCS1-v1_5",
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: "SHA-256",
    },
    true,
    ["sign", "verify"],
  );
  return {
    privateKey: pem("PRIVATE KEY", await crypto.subtle.exportKey("pkcs8", keys.privateKey)),
    publicKey: pem("PUBLIC KEY", await crypto.subtle.exportKey("spki", keys.publicKey)),
  };
}

/** A new certificate authority, valid for 30 days. */
export async function createAuthority(): Promise<Identity> {
  const subject = [{ name: "commonName", value: "generic-operator test authority" }];
  return await sign(subject, [
    { name: "basicConstraints", cA: true, critical: true },
    { name: "keyUsage", keyCertSign: true, cRLSign: true, digitalSignature: true, critical: true },
    { name: "subjectKeyIdentifier" },
  ]);
}

/** A server certificate for `localhost` and `127.0.0.1`, signed by `authority`. */
export async function createServerIdentity(authority: Identity): Promise<Identity> {
  return await sign(
    [{ name: "commonName", value: "localhost" }],
    [
      { name: "basicConstraints", cA: false, critical: true },
      { name: "keyUsage", digitalSignature: true, keyEncipherment: true, critical: true },
      { name: "extKeyUsage", serverAuth: true },
      { name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }, { type: 7, ip: "127.0.0.1" }] },
    ],
    authority,
  );
}

/** A client certificate for `subject`, signed by `authority`. */
export async function createClientIdentity(authority: Identity, subject: Subject): Promise<Identity> {
  return await sign(
    [
      ...subject.groups.map((group) => ({ name: "organizationName", value: group })),
      { name: "commonName", value: subject.user },
    ],
    [
      { name: "basicConstraints", cA: false, critical: true },
      { name: "keyUsage", digitalSignature: true, critical: true },
      { name: "extKeyUsage", clientAuth: true },
    ],
    authority,
  );
}

/** Signs with `authority`, or with the new key itself when there is none. */
async function sign(
  subject: forge.pki.CertificateField[],
  extensions: readonly object[],
  authority?: Identity,
): Promise<Identity> {
  const keys = await createKeyPair();
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(keys.publicKey);
  certificate.serialNumber = `01${forge.util.bytesToHex(forge.random.getBytesSync(8))}`;
  certificate.validity.notBefore = new Date(Date.now() - DAY); // clocks of two machines may differ
  certificate.validity.notAfter = new Date(Date.now() + LIFETIME_DAYS * DAY);
  certificate.setSubject(subject);
  certificate.setIssuer(
    authority === undefined
      ? subject
      : forge.pki.certificateFromPem(authority.certificate).subject.attributes,
  );
  certificate.setExtensions([...extensions]);
  certificate.sign(
    forge.pki.privateKeyFromPem(authority?.privateKey ?? keys.privateKey),
    forge.md.sha256.create(),
  );
  return { certificate: forge.pki.certificateToPem(certificate), privateKey: keys.privateKey };
}

function pem(label: string, der: ArrayBuffer): string {
  const lines = new Uint8Array(der).toBase64().match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}
