/**
 * Specs that the CRD of secure-namespace has to take or to refuse. Each is merged over a minimal spec (solution shop, environment dev).
 */

/** A part of a spec, and words that the refusal holds. */
export interface RefusedSpec {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly says: readonly string[];
}

const project = (solution: unknown, environment: unknown = "dev", contact: unknown = {}) => ({
  project: { solution, environment, contact },
});
const rule = (fields: unknown) => ({
  network: { externalAccess: { rules: [{ name: "one", ...Object(fields) }] } },
});
const access = (fields: unknown) => ({ network: { externalAccess: fields } });
const controller = (fields: unknown) => ({ ingress: { controller: fields } });
const roles = (rules: readonly unknown[]) => ({ serviceaccount: { roles: rules } });

/** Unusual, but right. */
export const takenSpecs: readonly Readonly<Record<string, unknown>>[] = [
  project("x", "PROD"),
  project("2nd-Shop", "integ"),
  project("s".repeat(59), "dev"),
  project("kubernetes"),
  { ...project("kube"), namespaceName: "cube" },
  project("shop", "dev", { email: "" }),
  project("shop", "dev", { name: `Zoë "Z" <b> & Söhne`, email: "a.b+c@mail.example.co.uk" }),
  { namespaceName: "" },
  { namespaceName: "kubernetes" },
  { quotas: { compute: { "requests.cpu": "0", "limits.memory": "1e9" } } },
  { quotas: { objects: { pods: 0 } } },
  controller({ nodeSelector: { label: "kubernetes.io/hostname", value: "" } }),
  { network: { interfaceName: "bond0.100" } },
  rule({
    cidrs: ["0.0.0.0/0", "2001:db8::/32", "10.1.2.3/32"],
    fqdns: ["*", "*.example.com", "**.example.com", "a_b.x."],
  }),
  rule({ ports: [{ port: 65535, protocol: "UDP" }, { port: 1 }] }),
  roles([{ resources: ["pods/log"], verbs: ["get"] }]),
];

/** Cannot work; each for one reason. */
export const refusedSpecs: readonly RefusedSpec[] = [
  { spec: project("s".repeat(60)), says: ["spec.project.solution", "at most 63 characters together"] },
  { spec: project("-shop"), says: ["spec.project.solution", "must be a DNS label: write"] },
  { spec: project("my_shop"), says: ["must be a DNS label: write"] },
  { spec: project("a.b"), says: ["must be a DNS label: write"] },
  { spec: project("a\nb"), says: ["must be a DNS label: write"] },
  { spec: project("KUBE"), says: ["spec.project.solution", "write another solution, or set namespaceName"] },
  { spec: project("shop", "staging"), says: ["spec.project.environment", '"TEST"', '"prod"'] },
  { spec: project("shop", "Dev"), says: ["spec.project.environment", "supported values"] },
  { spec: project("shop", "dev", { email: "nobody" }), says: ["contact.email", "such as team@example.com"] },
  { spec: project("shop", "dev", { email: "a@example.com\n---" }), says: ["such as team@example.com"] },
  {
    spec: project("shop", "dev", { name: "a\n---\nb" }),
    says: ["contact.name", "write the name on one line"],
  },
  {
    spec: { namespaceName: "kube-system" },
    says: ["spec.namespaceName", "belong to Kubernetes: write another name"],
  },
  {
    spec: { namespaceName: "default" },
    says: ["spec.namespaceName", "belong to Kubernetes: write another name"],
  },
  { spec: { namespaceName: "Shop" }, says: ["spec.namespaceName", "write lower-case letters"] },
  { spec: { namespaceName: "x/../kube-system" }, says: ["spec.namespaceName", "write lower-case letters"] },
  {
    spec: { quotas: { compute: { "limits.cpu": "two" } } },
    says: ["limits.cpu", "write a quantity such as 500m"],
  },
  {
    spec: { quotas: { compute: { "limits.cpu": "-1" } } },
    says: ["limits.cpu", "write a quantity such as 500m"],
  },
  {
    spec: { quotas: { storage: { "requests.storage": "10 Gi" } } },
    says: ["requests.storage", "write a quantity"],
  },
  {
    spec: { quotas: { objects: { pods: -1 } } },
    says: ["spec.quotas.objects.pods", "greater than or equal to 0"],
  },
  {
    spec: { ingress: { serviceName: "Gateway" } },
    says: ["spec.ingress.serviceName", "write a Service name"],
  },
  {
    spec: { ingress: { domain: "apps.example.com." } },
    says: ["spec.ingress.domain", "without a dot at its end"],
  },
  { spec: controller({ type: "envoy" }), says: ["spec.ingress.controller.type", '"nginx"', '"traefik"'] },
  { spec: controller({ replicas: 0 }), says: ["controller.replicas", "greater than or equal to 1"] },
  { spec: controller({ nodeSelector: { label: "a b" } }), says: ["label", "write the key of a node label"] },
  {
    spec: controller({ nodeSelector: { value: "a b" } }),
    says: ["value", "write the value of a node label"],
  },
  { spec: controller({ resources: { limits: { cpu: "" } } }), says: ["limits.cpu", "write a quantity"] },
  { spec: { network: { interfaceName: "eth0; reboot" } }, says: ["interfaceName", "such as ens192"] },
  { spec: rule({ name: "" }), says: ["rules[0].name", "at least 1 chars"] },
  { spec: rule({ cidrs: ["10.0.0.1"] }), says: ["cidrs[0]", "such as 203.0.113.0/24"] },
  { spec: rule({ cidrs: ["10.0.0.0/33"] }), says: ["cidrs[0]", "such as 203.0.113.0/24"] },
  { spec: rule({ cidrs: [""] }), says: ["cidrs[0]", "such as 203.0.113.0/24"] },
  {
    spec: rule({ fqdns: ["https://git.example.com/"] }),
    says: ["fqdns[0]", "without scheme, port and path"],
  },
  { spec: rule({ fqdns: [""] }), says: ["fqdns[0]", "write a DNS name"] },
  { spec: rule({ ports: [{ port: 0 }] }), says: ["ports[0].port", "greater than or equal to 1"] },
  { spec: rule({ ports: [{ port: 65536 }] }), says: ["ports[0].port", "less than or equal to 65535"] },
  { spec: rule({ ports: [{ port: 443, protocol: "SCTP" }] }), says: ["ports[0].protocol", '"TCP"', '"UDP"'] },
  { spec: rule({ ports: Array.from({ length: 41 }, () => ({ port: 1 })) }), says: ["ports", "40 items"] },
  { spec: access({ services: [{ name: "ldap" }] }), says: ["services[0].namespace", "Required value"] },
  { spec: access({ namespaces: [{ ports: [] }] }), says: ["namespaces[0].name", "Required value"] },
  { spec: access({ namespaces: [{ name: "A" }] }), says: ["namespaces[0].name", "must be a DNS label"] },
  { spec: { egressController: { reconcileIntervalSeconds: 9 } }, says: ["greater than or equal to 10"] },
  { spec: { example: { image: "nginx latest" } }, says: ["spec.example.image", "write an image such as"] },
  { spec: { example: { hostPrefix: "a.b" } }, says: ["spec.example.hostPrefix", "one label of a host name"] },
  { spec: { serviceaccount: { name: "app_sa" } }, says: ["spec.serviceaccount.name", "must be a DNS label"] },
  { spec: roles([{ resources: ["pods"], verbs: [] }]), says: ["roles[0].verbs", "at least 1 items"] },
  { spec: roles([{ verbs: ["get"] }]), says: ["roles[0].resources", "Required value"] },
];
