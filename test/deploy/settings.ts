import { configSchema } from '../../shared/config.js';
import { type Check, ofKind, podOf, services, settingsOf, workloads } from './cross-checks.js';
import { type Document, nameOf } from './document.js';

/** Checks environment variables in manifests against the program's own schema. */

export type Environment = Record<string, string>;

export function checkEnvironment(environment: Environment): string[] {
  const problems = Object.keys(environment)
    .filter((name) => !(name in configSchema.shape))
    .map((name) => `${name}: no such variable`);
  // Empty values count as absent, as in the program.
  const given = Object.entries(environment).filter(([, value]) => value !== '');
  const parsed = configSchema.safeParse(Object.fromEntries(given));
  const wrong = parsed.success ? [] : parsed.error.issues;
  return [...problems, ...wrong.map(({ path, message }) => `${path.join('.')}: ${message}`)];
}

const KAFKA_LOGIN: Environment = { KAFKA_SASL_USERNAME: 'user', KAFKA_SASL_PASSWORD: 'password' };
const STORE: Environment = { CLICKHOUSE_URL: 'https://user:password@host:8443/database' };
const MAIL: Environment = { SMTP_URL: 'smtp://user:password@host:587', MAIL_FROM: 'alerts@loglane.example' };
const BUCKET: Environment = { S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' };
const STRIPE: Environment = { STRIPE_SECRET_KEY: 'sk_test', STRIPE_WEBHOOK_SECRET: 'whsec' };

/** Content of each pod's Secret, with placeholder values, so that the whole environment can be parsed. */
const SECRETS_OF: Record<string, Environment> = {
  'loglane-ingest': { ...STORE, ...KAFKA_LOGIN },
  'loglane-enricher': { ...STORE, ...KAFKA_LOGIN },
  'loglane-detector': { ...STORE, ...KAFKA_LOGIN },
  'loglane-jobs': { ...STORE, ...KAFKA_LOGIN, ...MAIL, ...BUCKET },
  'loglane-api': { ...STORE, ...KAFKA_LOGIN, ...STRIPE, ...BUCKET },
  'loglane-admin': { ...STORE, ...KAFKA_LOGIN, ...BUCKET },
  'loglane-migrate': STORE,
};
const SECRETS: Environment = { ...STORE, ...KAFKA_LOGIN, ...STRIPE, ...BUCKET, SMTP_URL: MAIL.SMTP_URL! };

/** Names under `.invalid`, which the operator replaces and the program refuses. */
const PLACEHOLDER = /^https:\/\/[a-z0-9-]+\.change-me\.invalid(\/|$)/;

const isLoglane = (workload: Document) => /(^|\/)loglane:/.test(podOf(workload).containers[0].image);

/** Environment of a Loglane pod, from its ConfigMaps and its own list. */
function environmentOf(workload: Document, documents: readonly Document[]): Environment {
  const { envFrom = [], env = [] } = podOf(workload).containers[0];
  const sources = envFrom.map(({ configMapRef, secretRef }: any) => {
    if (secretRef !== undefined) {
      const secret = SECRETS_OF[secretRef.name];
      if (secret === undefined) throw new Error(`${nameOf(workload)}: no Secret ${secretRef.name}`);
      return secret;
    }
    const found = ofKind(documents, 'ConfigMap').find(({ metadata }) => metadata.name === configMapRef?.name);
    if (found === undefined) throw new Error(`${nameOf(workload)}: no ConfigMap ${configMapRef?.name}`);
    return found.data;
  });
  const own = env.map(({ name, value, valueFrom }: any) => {
    if (valueFrom !== undefined)
      throw new Error(`${nameOf(workload)}: ${name} from elsewhere than its Secret`);
    return [name, value];
  });
  const environment: Environment = Object.assign({}, ...sources, Object.fromEntries(own));
  return Object.fromEntries(
    Object.entries(environment)
      // The program takes empty ones for absent.
      .filter(([, value]) => value !== '')
      .map(([name, value]) => [name, value.replace(PLACEHOLDER, 'https://set.example$1')]),
  );
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

/** Each service listens on its named port on every interface, with all settings for a separate process. */
export const servicesAreSet: Check = (documents) =>
  services(documents).flatMap((deployment) => {
    const { HOST, KAFKA_BROKERS, METRICS_PORT, ...config } = configSchema.parse(
      environmentOf(deployment, documents),
    );
    const name = deployment.metadata.name;
    const port =
      name === 'api' ? config.API_PORT : name === 'ingest' ? config.INGEST_PORT : config.HEALTH_PORT;
    const wrong: string[] = [];
    if (HOST !== '0.0.0.0') wrong.push('HOST keeps probes out');
    if (KAFKA_BROKERS === undefined) wrong.push('no KAFKA_BROKERS');
    const container = podOf(deployment).containers[0];
    const ports = Object.fromEntries(container.ports.map((each: any) => [each.name, each.containerPort]));
    if (ports.http !== port) wrong.push(`does not listen on ${port}`);
    if (ports.metrics === undefined || ports.metrics !== METRICS_PORT)
      wrong.push(`serves no figures on a port of its own`);
    if (container.args[0] !== `dist/services/${name}/main.js`) wrong.push(`runs ${container.args[0]}`);
    return wrong.map((problem) => `${nameOf(deployment)}: ${problem}`);
  });

/** The files contain no Secret, and plain variables contain no secret value. */
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

/** Pods with the address of a store have the label that allows access to it, and a policy allows that label. */
export const storesAreReachable: Check = (documents) =>
  workloads(documents)
    .filter(isLoglane)
    .flatMap((workload) => {
      const stores = Object.entries({
        'loglane/uses-clickhouse': 'CLICKHOUSE_URL' in environmentOf(workload, documents),
        'loglane/uses-kafka': workload.kind !== 'Job',
        'loglane/uses-bucket': 'S3_ACCESS_KEY_ID' in environmentOf(workload, documents),
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

/** After the preStop pause, the work after SIGTERM takes up to SHUTDOWN_TIMEOUT_MS. */
export const podsMayDrain: Check = (documents) =>
  services(documents).flatMap((deployment) => {
    const { terminationGracePeriodSeconds: grace, containers } = podOf(deployment);
    const { SHUTDOWN_TIMEOUT_MS } = configSchema
      .pick({ SHUTDOWN_TIMEOUT_MS: true })
      .parse(environmentOf(deployment, documents));
    const needed = (containers[0].lifecycle?.preStop?.sleep?.seconds ?? 0) + SHUTDOWN_TIMEOUT_MS / 1000;
    return grace > needed ? [] : [`${nameOf(deployment)}: ${grace} s to leave, of ${needed} needed`];
  });

/** A pod reads only the Secret of its own name, so that no pod has the rights of another. */
export const secretsAreApart: Check = (documents) => {
  const own = workloads(documents).filter(isLoglane);
  return own.flatMap((workload) => {
    const { name } = workload.metadata;
    const read = [
      ...JSON.stringify(workload.spec).matchAll(
        /"secret(?:Ref|KeyRef)?":\{[^{}]*"(?:name|secretName)":"([^"]+)"/g,
      ),
    ];
    const others = read
      .map(([, secret]) => secret!)
      .filter((secret) => !name.startsWith(secret.replace('loglane-', '')));
    if (read.length === 0) return [`${nameOf(workload)}: no Secret of its own`];
    return others.map((secret) => `${nameOf(workload)}: reads ${secret}`);
  });
};

/** The public addresses are those of the Ingress. Services refuse to start with placeholders. */
export const addressesAreTheOperators: Check = (documents) => {
  const { PUBLIC_API_URL, PUBLIC_INGEST_URL } = settingsOf(documents);
  const publicHosts = [PUBLIC_API_URL, PUBLIC_INGEST_URL].map(
    (url) => new URL(url ?? 'http://absent').hostname,
  );
  const hosts = ofKind(documents, 'Ingress').flatMap(({ spec }) => spec.rules.map(({ host }: any) => host));
  const wrong = hosts
    .filter((host: string) => !publicHosts.includes(host))
    .map((host: string) => `Ingress: ${host} is in no setting`);
  const examples = [...publicHosts, ...hosts].filter((host) => /(^|\.)example(\.\w+)?$|^absent$/.test(host));
  return [...wrong, ...examples.map((host) => `${host} is nobody's`)];
};

/** A Job can not be changed, so it must be rendered equally for all settings of an overlay. */
export const jobsKeepTheirSettings: Check = (documents) => {
  const hashed = ofKind(documents, 'ConfigMap').filter(({ metadata }) =>
    /-[a-z0-9]{10}$/.test(metadata.name),
  );
  const names = hashed.map(({ metadata }) => metadata.name);
  return ofKind(documents, 'Job').flatMap((job) => [
    ...names
      .filter((name) => JSON.stringify(job.spec).includes(name))
      .map((name) => `${nameOf(job)}: refers to ${name}`),
    ...(podOf(job).restartPolicy === 'Never' ? [] : [`${nameOf(job)}: the log of a failed pod goes with it`]),
    ...(job.spec.ttlSecondsAfterFinished <= 3600 ? [] : [`${nameOf(job)}: stays when it is done`]),
  ]);
};
