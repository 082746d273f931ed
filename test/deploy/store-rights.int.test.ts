import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  DETECTOR_GROUP,
  ENRICHER_GROUP,
  JOBS_GROUP,
  NOTIFICATIONS_GROUP,
} from '../../shared/event-log/consumer-groups.js';
import { topics } from '../../shared/event-log/topics.js';
import { startTestClickHouse, type TestClickHouse } from '../harness/clickhouse.js';
import { rightsOfLogins } from './kafka-rights.js';
import { grantsOfUsers, rightsOf, rightsUsed, tablesOfSchema } from './store-users.js';

const guide = readFileSync('docs/install.md', 'utf8');

/** The statements that the command of the guide prints. */
function printedStatements(): string {
  const [, section = ''] = guide.split('\n## Users of the stores\n');
  const [, command] = /```sh\n(.*?)```/s.exec(section)!;
  return execFileSync('sh', ['-c', command!], { encoding: 'utf8' });
}
const users = grantsOfUsers();

/** Imported functions that a service never calls: only the API takes snapshots and reads requests, only jobs stores crawler lists, only migrate records migrations. */
const NOT_CALLED: Record<string, string[]> = {
  ingest: [
    'INSERT control_snapshots',
    'ALTER DELETE control_snapshots',
    'INSERT schema_migrations',
    'SELECT schema_migrations',
  ],
  enricher: [
    'INSERT control_snapshots',
    'ALTER DELETE control_snapshots',
    'INSERT crawler_list_checks',
    'INSERT crawler_lists',
    'INSERT schema_migrations',
  ],
  detector: [
    'INSERT control_snapshots',
    'ALTER DELETE control_snapshots',
    'INSERT crawler_list_checks',
    'INSERT crawler_lists',
    'INSERT schema_migrations',
  ],
  jobs: [
    'INSERT control_snapshots',
    'ALTER DELETE control_snapshots',
    'INSERT schema_migrations',
    'INSERT health_points',
  ],
  api: [
    'INSERT crawler_list_checks',
    'INSERT crawler_lists',
    'INSERT schema_migrations',
    'INSERT check_verdicts',
    'INSERT health_points',
    'INSERT index_inspections',
    'INSERT insight_tokens',
    'INSERT insights',
    'INSERT robots_fetches',
    'INSERT robots_versions',
    'INSERT source_syncs',
  ],
};

/** Rights of statements without the table in their text: services/api/projections/projection.ts. */
const TABLE_NOT_SEEN: Record<string, string[]> = { api: ['ALTER DELETE site_events'] };

describe.each(Object.entries(NOT_CALLED))('the user of %s', (service, notCalled) => {
  test('has exactly the rights that its service needs', async () => {
    const given = rightsOf(users.get(`loglane_${service}`)!);
    const seen = [...(await rightsUsed(service)), ...(TABLE_NOT_SEEN[service] ?? [])];
    const used = seen.filter((right) => !notCalled.includes(right));
    expect(used.length).toBeGreaterThan(0);
    expect([...given].sort()).toEqual(used.sort());
  });
});

test('no user but the operator’s may change or remove rows of requests', () => {
  for (const [user, grants] of users) {
    const rights = [...rightsOf(grants)].filter((right) =>
      /^(ALTER|DELETE|DROP|TRUNCATE|CREATE).* (\*|requests)$/.test(right),
    );
    expect([user, rights]).toEqual([
      user,
      user === 'loglane_admin' ? ['ALTER UPDATE *', 'ALTER DELETE *', 'TRUNCATE *'] : [],
    ]);
  }
});

test.each(['enricher', 'detector', 'jobs', 'api', 'admin'])(
  'the user of %s may read which days a damaged part has (shared/clickhouse/damaged-part.ts)',
  (service) => {
    expect(users.get(`loglane_${service}`)).toContain('GRANT SELECT ON system.parts');
  },
);

test('rights are on existing tables', async () => {
  const tables = await tablesOfSchema();
  const named = [...users.values()].flatMap((grants) =>
    [...rightsOf(grants)].map((right) => right.split(' ').at(-1)!),
  );
  expect(named.filter((table) => table !== '*' && !tables.has(table))).toEqual([]);
});

test('the command of install.md prints each user with its rights', () => {
  const expected = [...users].flatMap(([user, grants]) => [
    `CREATE USER ${user} IDENTIFIED BY '…';`,
    ...grants.map((grant) => `${grant} TO ${user};`),
  ]);
  expect(printedStatements().trimEnd().split('\n')).toEqual(expected);
});

test('install.md gives rights in Kafka on exactly the existing topics and groups', () => {
  const named = rightsOfLogins().map(({ resource }) => resource);
  const ofKind = (wanted: string) => [
    ...new Set(named.filter(({ kind }) => kind === wanted).map(({ name }) => name)),
  ];
  expect(ofKind('topic').sort()).toEqual(
    Object.values(topics)
      .map(({ name }) => name)
      .sort(),
  );
  expect(ofKind('group')).toEqual([ENRICHER_GROUP, DETECTOR_GROUP, JOBS_GROUP, NOTIFICATIONS_GROUP]);
});

describe('the engine', () => {
  let store: TestClickHouse;
  beforeAll(async () => {
    store = await startTestClickHouse();
  });
  afterAll(() => store.stop());

  const statements = [
    ...`${guide}\n${printedStatements()}`.matchAll(/^((?:GRANT|CREATE USER) [^;]*);$/gm),
  ].map(([, statement]) => statement!);
  test.each([...new Set(statements)])('understands: %s', async (statement) => {
    const read = () =>
      store.clickhouse.read({
        name: 'test.format',
        sql: 'SELECT formatQuery({statement: String}) AS text',
        params: { statement },
        row: z.object({ text: z.string() }),
      });
    await expect(read()).resolves.toHaveLength(1);
  });
});
