import { configSchema } from '../../shared/config.js';
import { type Check, ofKind, podOf, workloads } from './cross-checks.js';
import { type Document, nameOf } from './document.js';

/** Environment variables in manifests, held against the program's own schema. */

export type Environment = Record<string, string>;

export function checkEnvironment(environment: Environment): string[] {
  const problems = Object.keys(environment)
    .filter((name) => !(name in configSchema.shape))
    .map((name) => `${name}: no such variable`);
  // Empty ones count as absent, as when the program starts.
  const given = Object.entries(environment).filter(([, value]) => value !== '');
  const parsed = configSchema.safeParse(Object.fromEntries(given));
  const wrong = parsed.success ? [] : parsed.error.issues;
  return [...problems, ...wrong.map(({ path, message }) => `${path.join('.')}: ${message}`)];
}

/** What stands for a Secret's value, so that the whole environment can be parsed. */
const SECRETS: Environment = {
  CLICKHOUSE_URL: 'https://user:password@host:8443/database',
  KAFKA_SASL_USERNAME: 'user',
  KAFKA_SASL_PASSWORD: 'password',
  STRIPE_SECRET_KEY: 'sk_test',
  STRIPE_WEBHOOK_SECRET: 'whsec',
};

export const isLoglane = (workload: Document) => /(^|\/)loglane:/.test(podOf(workload).containers[0].image);

/** Of a pod of Loglane: from its ConfigMaps and its own list. */
export function environmentOf(workload: Document, documents: readonly Document[]): Environment {
  const { envFrom = [], env = [] } = podOf(workload).containers[0];
  const sources = envFrom.map(({ configMapRef }: any) => {
    const found = ofKind(documents, 'ConfigMap').find(({ metadata }) => metadata.name === configMapRef?.name);
    if (found === undefined) throw new Error(`${nameOf(workload)}: no ConfigMap ${configMapRef?.name}`);
    return found.data;
  });
  const own = env.map(({ name, value, valueFrom }: any) => {
    if (valueFrom !== undefined && valueFrom.secretKeyRef?.key !== name)
      throw new Error(`${nameOf(workload)}: ${name} from another key`);
    return [name, valueFrom === undefined ? value : (SECRETS[name] ?? '')];
  });
  return Object.assign({}, ...sources, Object.fromEntries(own));
}

export const settingsParse: Check = (documents) =>
  workloads(documents)
    .filter(isLoglane)
    .flatMap((workload) => {
      try {
        return checkEnvironment(environmentOf(workload, documents)).map(
          (problem) => `${nameOf(workload)}: ${problem}`,
        );
      } catch (error) {
        return [(error as Error).message];
      }
    });

/** Each service listens on its named port, on every interface, with what it needs to run apart from the others. */
export const servicesAreSet: Check = (documents) =>
  ofKind(documents, 'Deployment').flatMap((deployment) => {
    const { data } = ofKind(documents, 'ConfigMap')[0]!;
    const { HOST, KAFKA_BROKERS, ...config } = configSchema.parse(data);
    const name = deployment.metadata.name;
    const port =
      name === 'api' ? config.API_PORT : name === 'ingest' ? config.INGEST_PORT : config.HEALTH_PORT;
    const wrong: string[] = [];
    if (HOST !== '0.0.0.0') wrong.push('HOST keeps probes out');
    if (KAFKA_BROKERS === undefined) wrong.push('no KAFKA_BROKERS');
    const container = podOf(deployment).containers[0];
    if (container.ports[0].containerPort !== port) wrong.push(`does not listen on ${port}`);
    if (container.args[0] !== `dist/services/${name}/main.js`) wrong.push(`runs ${container.args[0]}`);
    return wrong.map((problem) => `${nameOf(deployment)}: ${problem}`);
  });

/** No Secret in the files, no secret in the plain variables. */
export const secretsAreElsewhere: Check = (documents) => [
  ...ofKind(documents, 'Secret').map((secret) => `${nameOf(secret)}: a secret in the repository`),
  ...ofKind(documents, 'ConfigMap').flatMap(({ data }) =>
    Object.keys(SECRETS)
      .filter((name) => name in data)
      .map((name) => `ConfigMap: ${name} belongs into a Secret`),
  ),
  ...workloads(documents).flatMap((workload) =>
    podOf(workload)
      .containers.flatMap(({ env = [] }: any) => env)
      .filter(
        ({ name, value }: any) => value !== undefined && (name in SECRETS || /PASSWORD|SECRET/.test(name)),
      )
      .map(({ name }: any) => `${nameOf(workload)}: ${name} in clear`),
  ),
];

/** Whoever has a store's address has the label that opens the way to it, and a policy does open it. */
export const storesAreReachable: Check = (documents) =>
  workloads(documents)
    .filter(isLoglane)
    .flatMap((workload) => {
      const stores = Object.entries({
        'loglane/uses-clickhouse': 'CLICKHOUSE_URL' in environmentOf(workload, documents),
        'loglane/uses-kafka': workload.kind === 'Deployment',
      });
      return stores.flatMap(([label, used]) => {
        if ((workload.spec.template.metadata.labels[label] === 'true') !== used)
          return [`${nameOf(workload)}: ${label} is not ${used}`];
        const opened = ofKind(documents, 'NetworkPolicy').some(
          ({ spec }) => spec.podSelector.matchLabels?.[label] === 'true' && spec.egress?.length > 0,
        );
        return opened || !used ? [] : [`${nameOf(workload)}: no policy for ${label}`];
      });
    });

/** What is answered and committed on SIGTERM takes up to SHUTDOWN_TIMEOUT_MS, after the preStop pause. */
export const podsMayDrain: Check = (documents) =>
  ofKind(documents, 'Deployment').flatMap((deployment) => {
    const { terminationGracePeriodSeconds: grace, containers } = podOf(deployment);
    const { SHUTDOWN_TIMEOUT_MS } = configSchema
      .pick({ SHUTDOWN_TIMEOUT_MS: true })
      .parse(environmentOf(deployment, documents));
    const needed = (containers[0].lifecycle?.preStop?.sleep?.seconds ?? 0) + SHUTDOWN_TIMEOUT_MS / 1000;
    return grace > needed ? [] : [`${nameOf(deployment)}: ${grace} s to leave, of ${needed} needed`];
  });
