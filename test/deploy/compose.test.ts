import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { isPinned, losesData } from './pod-checks.js';
import { checkEnvironment } from './settings.js';

const compose = () =>
  parse(readFileSync('deploy/compose.yaml', 'utf8'), { merge: true }) as { services: any };

/** Inserts values like compose: `${NAME:-default}`, and any value for a required secret. */
const interpolate = (value: string) =>
  value.replace(/\$\{\w+(?::([-?])([^}]*))?\}/g, (_, kind, text) => (kind === '-' ? text : 'secret'));

type Check = (services: any) => string[];
const each =
  (check: (service: any, name: string) => boolean): Check =>
  (services) =>
    Object.entries(services).flatMap(([name, service]) => (check(service, name) ? [] : [name]));
const ownServices = (services: any) =>
  Object.values<any>(services).filter(({ image }) => image.startsWith('loglane:'));

const CHECKS: Record<string, Check> = {
  'variables are known and their values parse': (services) =>
    ownServices(services).flatMap(({ environment }) =>
      checkEnvironment(
        Object.fromEntries(
          Object.entries<string>(environment).map(([name, value]) => [name, interpolate(value)]),
        ),
      ),
    ),
  'passwords come from outside': each(({ environment }) =>
    Object.entries<string>(environment).every(
      ([name, value]) => !/PASSWORD|SECRET|_URL$/.test(name) || /\$\{/.test(value),
    ),
  ),
  '.env.example names what is asked for, and no password': (services) => {
    const example = readFileSync('deploy/.env.example', 'utf8');
    const asked = [...JSON.stringify(services).matchAll(/\$\{(\w+)/g)].map(([, name]) => name!);
    return asked.filter(
      (name) => !new RegExp(`^${name}=${/PASSWORD|KEY|SECRET/.test(name) ? '$' : ''}`, 'm').test(example),
    );
  },
  'containers are hardened': each(
    ({ read_only, cap_drop, security_opt, restart, tmpfs }) =>
      read_only === true &&
      cap_drop?.[0] === 'ALL' &&
      security_opt?.[0] === 'no-new-privileges:true' &&
      restart !== undefined &&
      tmpfs?.[0] === '/tmp',
  ),
  'containers are bounded in memory': each(({ deploy }) => Boolean(deploy?.resources.limits.memory)),
  // Docker refuses a container with more CPUs than the machine has.
  'containers start on any number of CPUs': each(
    ({ deploy, cpus }) => deploy?.resources.limits.cpus === undefined && cpus === undefined,
  ),
  'images are pinned': each(({ image }) => isPinned(interpolate(image))),
  'data outlives its container': each(
    ({ image, volumes = [], environment = {} }) =>
      !losesData(
        image,
        volumes
          .filter((volume: string) => !volume.startsWith('.'))
          .map((volume: string) => volume.split(':')[1]!),
        environment.KAFKA_LOG_DIRS,
      ),
  ),
  'whoever makes, serves or erases files has the same place for them': (services) =>
    ['jobs', 'api', 'admin'].filter((name) => {
      const { environment, volumes = [], networks } = services[name];
      return !(
        environment.FILES_DIR === '/files' &&
        volumes.includes('files:/files') &&
        networks.includes('edge') &&
        ['S3_BUCKET', 'S3_ENDPOINT', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'].every(
          (variable) => environment[variable]?.startsWith(`\${${variable}:-`),
        )
      );
    }),
  'each service has a user of ClickHouse of its own': (services) => {
    const users = ownServices(services).map(
      ({ environment }) => /\/\/(\w+):/.exec(environment.CLICKHOUSE_URL)?.[1],
    );
    return new Set(users).size === users.length && !users.includes(undefined) ? [] : users.map(String);
  },
  'files that are mounted exist': (services) =>
    Object.values<any>(services)
      .flatMap(({ volumes = [] }) => volumes)
      .map((volume: string) => volume.split(':')[0]!)
      .filter((path) => path.startsWith('.') && !existsSync(join('deploy', path))),
  'what stays up has a health check': each(
    ({ healthcheck }, name) => ['migrate', 'admin'].includes(name) || healthcheck?.test[0] === 'CMD',
  ),
  'only the API and ingest are published, on this machine alone': (services) => {
    const published = Object.values<any>(services).flatMap(({ ports = [] }) => ports);
    return published.filter((port: string) => !['127.0.0.1:8080:8080', '127.0.0.1:8081:8081'].includes(port));
  },
  'what is waited for exists and can become so': each(({ depends_on = {} }) =>
    Object.entries<any>(depends_on).every(
      ([name, { condition }]) =>
        compose().services[name] !== undefined &&
        (condition !== 'service_healthy' || compose().services[name].healthcheck !== undefined),
    ),
  ),
  'services have longer to leave than the program takes': (services) =>
    ownServices(services)
      .filter(
        ({ stop_grace_period, environment }) =>
          !(Number.parseInt(stop_grace_period, 10) * 1000 > Number(environment.SHUTDOWN_TIMEOUT_MS)),
      )
      .map(({ command, entrypoint }) => (command ?? entrypoint)[0]),
};

test.each(Object.entries(CHECKS))('%s', (_, check) => {
  expect(check(compose().services)).toEqual([]);
});

const defects: [string, (services: any) => unknown][] = [
  [
    'whoever makes, serves or erases files has the same place for them',
    ({ jobs }) => (jobs.volumes = ['other:/files']),
  ],
  ['variables are known and their values parse', ({ api }) => (api.environment.KAFKA_BROKER = 'kafka:9092')],
  ['variables are known and their values parse', ({ api }) => (api.environment.KAFKA_BROKERS = 'kafka')],
  ['passwords come from outside', ({ api }) => (api.environment.CLICKHOUSE_URL = 'http://a:b@c:8123/d')],
  [
    'passwords come from outside',
    ({ clickhouse }) => (clickhouse.environment.CLICKHOUSE_PASSWORD = 'secret'),
  ],
  [
    '.env.example names what is asked for, and no password',
    ({ api }) => (api.image = api.image.replace('LOGLANE_', '')),
  ],
  ['containers are hardened', ({ kafka }) => delete kafka.read_only],
  ['containers are bounded in memory', ({ api }) => delete api.deploy],
  ['containers start on any number of CPUs', ({ api }) => (api.deploy.resources.limits.cpus = '2')],
  ['images are pinned', ({ kafka }) => (kafka.image = 'apache/kafka:4.1.0')],
  ['data outlives its container', ({ kafka }) => (kafka.volumes = ['kafka:/var/lib/kafka'])],
  ['data outlives its container', ({ clickhouse }) => delete clickhouse.volumes],
  [
    'each service has a user of ClickHouse of its own',
    ({ api, migrate }) => (api.environment = migrate.environment),
  ],
  ['files that are mounted exist', ({ clickhouse }) => clickhouse.volumes.push('./users.xml:/users.xml:ro')],
  ['what stays up has a health check', ({ ingest }) => delete ingest.healthcheck],
  [
    'only the API and ingest are published, on this machine alone',
    ({ kafka }) => (kafka.ports = ['9092:9092']),
  ],
  [
    'what is waited for exists and can become so',
    ({ api }) => (api.depends_on = { migrated: { condition: 'service_started' } }),
  ],
  ['services have longer to leave than the program takes', ({ api }) => (api.stop_grace_period = '10s')],
];

test.each(defects)('a defect is found: %s', (name, breakIt) => {
  const { services } = structuredClone(compose());
  breakIt(services);
  expect(CHECKS[name]!(services)).not.toEqual([]);
});

test('a defect is found by each check', () => {
  expect(new Set(defects.map(([name]) => name))).toEqual(new Set(Object.keys(CHECKS)));
});
