/**
 * SecureNamespaces made up by number: the same number gives the same one, on every machine. They go through the shipped templates here and in
 * Python's Jinja2 (render.py), and through the API server.
 *
 * Every field is written out, as if the API server had filled in the defaults, in the order in which it returns them (sorted).
 */

/** A CR as JSON; `spec` has every field of the CRD. */
export interface GeneratedCr {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly uid: string; readonly generation: number };
  readonly spec: Readonly<Record<string, unknown>>;
}

/** The first `count` SecureNamespaces, with names that differ. */
export function generatedCrs(count: number): readonly GeneratedCr[] {
  return Array.from({ length: count }, (_, index) => generatedCr(index));
}

function generatedCr(index: number): GeneratedCr {
  const dice = new Dice(index);
  const solution = `${dice.pick(["shop", "Billing", "x", "data-lake", "2nd"])}${index}`;
  const environment = dice.pick(["TEST", "DEV", "INTEG", "PROD", "test", "dev", "integ", "prod"]);
  const name = `${solution}-${environment}`.toLowerCase();
  return {
    apiVersion: "secure-ns.example.com/v1alpha1",
    kind: "SecureNamespace",
    metadata: {
      name,
      uid: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
      generation: 1 + dice.below(3),
    },
    spec: {
      egressController: { enabled: dice.chance(0.3), reconcileIntervalSeconds: 10 + dice.below(50) },
      example: {
        enabled: dice.chance(0.2),
        hostPrefix: "app",
        image: "registry.example.com/app:1",
        replicas: dice.below(3),
      },
      ingress: {
        controller: {
          nodeSelector: { label: "secure-ns/app", value: dice.pick(["GENERIC", ""]) },
          replicas: 1 + dice.below(3),
          resources: {
            limits: { cpu: "500m", memory: "512Mi" },
            requests: { cpu: "100m", memory: "128Mi" },
          },
          type: dice.pick(["nginx", "haproxy", "traefik"]),
        },
        domain: dice.pick(["k8s-staging.secure-ns.example.com", "apps.example.org"]),
        enabled: dice.chance(0.4),
        serviceName: dice.pick(["lb-gateway", "edge"]),
      },
      ...(dice.chance(0.2) ? { namespaceName: `own-${index}` } : {}),
      network: {
        externalAccess: externalAccess(dice),
        interfaceName: dice.pick(["ens192", "bond0.100"]),
        isolationEnabled: dice.chance(0.8),
      },
      project: {
        contact: dice.chance(0.5) ? {} : { email: "team@example.com", name: dice.pick(TRICKY) },
        environment,
        solution,
      },
      quotas: {
        compute: {
          "limits.cpu": dice.pick(["2048m", "4", "0.5"]),
          "limits.memory": dice.pick(["2Gi", "1e9"]),
          "requests.cpu": "1024m",
          "requests.memory": dice.pick(["1Gi", "500M"]),
        },
        enabled: dice.chance(0.8),
        objects: { configmaps: dice.below(9), pods: dice.below(99), secrets: 5, services: 5 },
        storage: { persistentvolumeclaims: dice.below(4), "requests.storage": "10Gi" },
      },
      serviceaccount: {
        clusterroles: dice.some(2, () => rbacRule(dice)),
        enabled: dice.chance(0.5),
        name: dice.pick(["app-sa", "deployer"]),
        roles: dice.some(3, () => rbacRule(dice)),
      },
    },
  };
}

/** Texts that break templates which print them bare. */
const TRICKY = [
  "Jane Doe",
  `"quoted" & 'quoted' <b>`,
  "yes",
  "0644",
  "key: value # comment",
  "[{ 7 * 7 }] {{ 7 }}",
  "Zoë 😀",
];

function externalAccess(dice: Dice): Readonly<Record<string, unknown>> {
  return {
    enabled: dice.chance(0.6),
    namespaces: dice.some(2, () => ({ name: dice.pick(["monitoring", "shop-prod"]), ports: ports(dice) })),
    rules: dice.some(4, () => ({
      cidrs: dice.some(
        3,
        () => dice.pick(["203.0.113.0/24", "198.51.100.7/32", "2001:db8::/32", "0.0.0.0/0"]),
      ),
      description: dice.pick(TRICKY),
      fqdns: dice.some(
        3,
        () => dice.pick(["git.example.com", "*.Example.org", "**.deep.example.net", "a_b.example."]),
      ),
      name: dice.pick(["bank", ...TRICKY]),
      ports: ports(dice),
    })),
    services: dice.some(2, () => ({ name: "postgres", namespace: "databases", ports: ports(dice) })),
    // Just the service with an address in the shipped settings: the others are refused by name.
    standard: { git: false, logging: dice.chance(0.8), proxy: false, s3: false, smtp: false, vault: false },
  };
}

function ports(dice: Dice): readonly Readonly<Record<string, unknown>>[] {
  return dice.some(3, () => ({ port: 1 + dice.below(65535), protocol: dice.pick(["TCP", "UDP"]) }));
}

function rbacRule(dice: Dice): Readonly<Record<string, unknown>> {
  return {
    apiGroups: [dice.pick(["", "apps", "batch"])],
    ...(dice.chance(0.2) ? { resourceNames: ["one", "two"] } : {}),
    resources: dice.pick([["pods"], ["pods", "pods/log"], ["deployments"]]),
    verbs: dice.pick([["get"], ["get", "list", "watch"]]),
  };
}

/** Numbers that look thrown, the same for the same seed (mulberry32). */
class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor(((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296 * limit);
  }

  chance(probability: number): boolean {
    return this.below(1000) < probability * 1000;
  }

  pick<T>(choices: readonly [T, ...T[]] | readonly T[]): T {
    const choice = choices[this.below(choices.length)];
    if (choice === undefined) throw new RangeError("Nothing to choose from");
    return choice;
  }

  /** None up to `most` items. */
  some<T>(most: number, make: () => T): readonly T[] {
    return Array.from({ length: this.below(most + 1) }, make);
  }
}

if (import.meta.main) {
  for (const cr of generatedCrs(200)) console.log(JSON.stringify(cr));
}
