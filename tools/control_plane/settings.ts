/**
 * What a control plane is started with: its files (certificates, keys, policies, kubeconfig) and the command lines of its
 * programs. Flags are those of a real cluster (RBAC, all default admission plugins, priority and fairness); what differs
 * is only what a throw-away on one small machine needs: etcd does not flush to disk, and of the controllers only those
 * run that keep the API's own promises. The workload controllers (Deployments, Jobs, ...) are off: without nodes they
 * never get anywhere, and tests write the status that they need.
 */
import {
  createAuthority,
  createClientIdentity,
  createKeyPair,
  createServerIdentity,
  type Identity,
} from "./certificates.ts";
import { kubeconfigText } from "./kubeconfig.ts";

/** Where the programs listen on 127.0.0.1. */
export interface Ports {
  readonly etcd: number;
  readonly etcdPeer: number;
  readonly apiServer: number;
  readonly controllerManager: number;
}

/** Paths of the written files, and what a client needs to trust and to be trusted. */
export interface Settings {
  readonly folder: string;
  readonly ports: Ports;
  readonly url: string;
  readonly kubeconfig: string;
  readonly authority: string;
  readonly administrator: Identity;
  readonly auditLogPath: string | undefined;
}

const CONTROLLERS = [
  "namespace-controller",
  "garbage-collector-controller",
  "resourcequota-controller",
  "serviceaccount-controller",
  "serviceaccount-token-controller",
  "root-ca-certificate-publisher-controller",
  "clusterrole-aggregation-controller",
];

// Not the health checks, and no request twice: a watch is seen when it starts, all else when it is complete.
const AUDIT_POLICY = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - level: None
    nonResourceURLs: ["/healthz*", "/readyz*", "/livez*"]
  - level: Metadata
`;

/** Makes certificates and keys and writes all files into `folder`. */
export async function writeSettings(folder: string, ports: Ports, auditLog: boolean): Promise<Settings> {
  const authority = await createAuthority();
  const [server, administrator, serviceAccounts] = await Promise.all([
    createServerIdentity(authority),
    createClientIdentity(authority, { user: "administrator", groups: ["system:masters"] }),
    createKeyPair(),
  ]);
  const url = `https://127.0.0.1:${ports.apiServer}`;
  const kubeconfig = kubeconfigText({
    url,
    authority: authority.certificate,
    user: { identity: administrator },
  });
  const files = {
    "ca.crt": authority.certificate,
    "server.crt": server.certificate,
    "server.key": server.privateKey,
    "service-accounts.key": serviceAccounts.privateKey,
    "service-accounts.pub": serviceAccounts.publicKey,
    "audit-policy.yaml": AUDIT_POLICY,
    "kubeconfig": kubeconfig,
  };
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${folder}/${name}`, text, { mode: 0o600 });
  }
  return {
    folder,
    ports,
    url,
    kubeconfig,
    authority: authority.certificate,
    administrator,
    auditLogPath: auditLog ? `${folder}/audit.log` : undefined,
  };
}

/** The command line of etcd. */
export function etcdArguments({ folder, ports }: Settings): readonly string[] {
  const client = `http://127.0.0.1:${ports.etcd}`;
  const peer = `http://127.0.0.1:${ports.etcdPeer}`;
  return [
    `--data-dir=${folder}/etcd`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    "--unsafe-no-fsync",
    "--log-level=warn",
  ];
}

/** The command line of kube-apiserver. */
export function apiServerArguments({ folder, ports, auditLogPath }: Settings): readonly string[] {
  const audit = auditLogPath === undefined ? [] : [
    `--audit-policy-file=${folder}/audit-policy.yaml`,
    `--audit-log-path=${auditLogPath}`,
    "--audit-log-maxsize=100000", // MB: one file, since readers keep offsets into it
  ];
  return [
    `--etcd-servers=http://127.0.0.1:${ports.etcd}`,
    "--bind-address=127.0.0.1",
    `--secure-port=${ports.apiServer}`,
    `--tls-cert-file=${folder}/server.crt`,
    `--tls-private-key-file=${folder}/server.key`,
    `--client-ca-file=${folder}/ca.crt`,
    "--authorization-mode=RBAC",
    "--service-account-issuer=https://kubernetes.default.svc",
    `--service-account-key-file=${folder}/service-accounts.pub`,
    `--service-account-signing-key-file=${folder}/service-accounts.key`,
    "--service-cluster-ip-range=10.96.0.0/16",
    "--shutdown-watch-termination-grace-period=1s", // else open watches hold a stop for a minute
    "--endpoint-reconciler-type=none", // a loopback address is no valid endpoint of the Service "kubernetes"
    ...audit,
  ];
}

/** The command line of kube-controller-manager. */
export function controllerManagerArguments({ folder, ports }: Settings): readonly string[] {
  return [
    `--kubeconfig=${folder}/kubeconfig`,
    "--bind-address=127.0.0.1",
    `--secure-port=${ports.controllerManager}`,
    `--tls-cert-file=${folder}/server.crt`,
    `--tls-private-key-file=${folder}/server.key`,
    `--root-ca-file=${folder}/ca.crt`,
    `--service-account-private-key-file=${folder}/service-accounts.key`,
    "--leader-elect=false",
    `--controllers=${CONTROLLERS.join(",")}`,
    "--kube-api-qps=200", // many namespaces come and go in a test run
    "--kube-api-burst=400",
  ];
}
