import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WebsiteRead } from '../../services/api/operation/operation.js';
import { pathOf } from '../../services/api/operation/routes.js';
import { operations } from '../../services/api/operations/all-operations.js';
import { exportTypes } from '../../shared/reads/exports/all-export-types.js';
import type { ComposeDeps, ExportType } from '../../shared/reads/exports/export-type.js';
import { exportQuestion, scopeOf } from '../../shared/reads/exports/question.js';
import { renderExport } from '../../shared/reads/exports/render.js';
import { casesFor } from '../harness/runs.js';
import { startTruthWorld, type TruthWorld } from './truth-world.js';

/** Compares every export with the equivalent read: the same filters, all rows. */

let world: TruthWorld;
beforeAll(async () => {
  world = await startTruthWorld();
});
afterAll(() => world?.stop());

type Row = Record<string, unknown>;

const START = Date.UTC(2026, 9, 20, 7, 30);
const END = Date.UTC(2026, 10, 3, 9, 15);
const window = { start: new Date(START).toISOString(), end: new Date(END).toISOString() };
let ids = 0;

const recommendations = {
  isResolved: () => false,
  sharedNetworkOf: () => null,
  isSearchCrawler: (name: string) => name === 'Googlebot' || name === 'bingbot',
} as unknown as ComposeDeps['recommendations'];

async function exported(type: ExportType, given: Row = {}, websiteId = 'shop'): Promise<Row[]> {
  const question = exportQuestion.parse({ start: START, end: END, ...given });
  const composition = await type.compose(
    {
      clickhouse: world.clickhouse,
      domain: 'www.example.com',
      now: Date.now(),
      newId: () => `batch-${++ids}`,
      recommendations,
    },
    scopeOf(websiteId, question),
    question,
  );
  const { bytes, rows } = await world.clickhouse.readFile({
    ...renderExport(type.columns, composition, 'ndjson'),
    name: 'test.export',
    compression: 'none',
    timeoutMs: 60_000,
  });
  const lines = (await buffer(bytes))
    .toString()
    .split('\n')
    .filter((line) => line !== '');
  expect(rows).toBe(lines.length);
  return lines.map((line) => JSON.parse(line) as Row);
}

async function read(path: string, parameters: Record<string, string> = {}, websiteId = 'shop'): Promise<Row> {
  const operation = operations.find(
    (each) => each.method === 'get' && pathOf(each) === `/public/v1/websites/{website_id}${path}`,
  ) as WebsiteRead;
  const query = operation.query as { parse(value: unknown): unknown; shape: Row };
  const hasWindow = 'start' in query.shape;
  const input = query.parse({ ...(hasWindow ? window : {}), ...parameters });
  const context = world.contextOf(websiteId);
  const { control, ...services } = context.services as unknown as Row & { control: Row };
  const full = {
    ...context,
    services: { ...services, ...recommendations, control: { ...control, state: () => stateOfNothing } },
  };
  return (await operation.run(input as never, full as never)) as Row;
}

const stateOfNothing = {
  connections: { get: () => undefined },
  crawls: { get: () => undefined, by: () => [] },
  resolutions: { get: () => undefined, by: () => [] },
  segments: { by: () => [] },
};

/** The fields of the file's columns in the file's form. */
function asFile(rows: readonly Row[], { columns }: ExportType): Row[] {
  return rows.map((row) =>
    Object.fromEntries(
      columns.map(({ name }) => {
        const value = row[name];
        return [name, Array.isArray(value) ? value.join(' | ') : value];
      }),
    ),
  );
}

const typeOf = (name: string) => exportTypes.find((type) => type.name === name)!;

interface Equal {
  readonly name: string;
  /** All rows of the read. */
  rows(parameters: Record<string, string>): Promise<Row[]>;
}

const list =
  (path: string, field: string, also: Record<string, string> = {}) =>
  async (parameters: Record<string, string>) =>
    (await read(path, { ...parameters, ...also }))[field] as Row[];

async function allPages(path: string, field: string, parameters: Record<string, string>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const answer = await read(path, { ...parameters, page: String(page), page_size: '500' });
    rows.push(...((answer[field] ?? []) as Row[]));
    if (page >= Number(answer.total_pages)) return rows;
  }
}

async function allRequests(parameters: Record<string, string>): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const answer: Row = await read('/requests', {
      ...parameters,
      is_bot: 'true',
      limit: '500',
      ...(cursor === null ? {} : { cursor }),
    });
    rows.push(...(answer.requests as Row[]));
    cursor = answer.next_cursor as string | null;
  } while (cursor !== null);
  return rows;
}

const equals: readonly Equal[] = [
  { name: 'traffic', rows: list('/traffic', 'hourly') },
  { name: 'paths', rows: list('/paths', 'paths', { limit: '1000' }) },
  { name: 'status-codes', rows: list('/status-codes', 'status_codes') },
  { name: 'bots', rows: list('/bots', 'bots') },
  { name: 'referrers', rows: list('/referrers', 'referrers', { limit: '500' }) },
  { name: 'geography', rows: list('/geography', 'cities') },
  {
    name: 'devices',
    rows: async (parameters) => {
      const answer = await read('/devices', parameters);
      return [
        ['browser', 'browsers'],
        ['operating_system', 'operating_systems'],
        ['device_type', 'device_types'],
      ].flatMap(([kind, field]) => (answer[field!] as Row[]).map((row) => ({ kind, ...row })));
    },
  },
  {
    name: 'ips',
    rows: async (parameters) =>
      ((await read('/ips', { ...parameters, limit: '1000' })).ips as Row[]).map((row) => ({
        ...row,
        claims: (row.claims as Row[])
          .map((claim) => `${claim.bot_name} (${claim.bot_verification_status}): ${claim.requests}`)
          .join(' | '),
      })),
  },
  { name: 'crawl-budget-urls', rows: (parameters) => allPages('/seo/budget-urls', 'urls', parameters) },
  { name: 'requests', rows: allRequests },
  { name: 'seo-requests', rows: (parameters) => allPages('/seo/requests', 'items', parameters) },
];

const narrowings: { readonly parameters: Record<string, string>; readonly question: Row }[] = [
  { parameters: {}, question: {} },
  { parameters: { countries: 'DE,US' }, question: { countries: ['DE', 'US'] } },
  { parameters: { host: 'shop.example.com' }, question: { hosts: ['shop.example.com'] } },
  { parameters: { bot_name: 'googlebot' }, question: { bot_name: 'googlebot' } },
  {
    parameters: { status_category: '4xx', params_filter: 'no_params' },
    question: { status_class: 4, params_filter: 'no_params' },
  },
  { parameters: { file_type: 'html,pdf' }, question: { file_types: ['html', 'pdf'] } },
];

describe.each(equals.map((each, index) => [each.name, each, index] as const))(
  '%s equals its read',
  (name, { rows }, index) => {
    test.each(casesFor(index, narrowings, 2))('narrowed by %j', async ({ parameters, question }) => {
      const type = typeOf(name);
      const told = asFile(await rows(parameters), type);
      const found = await exported(type, question);
      // /seo/requests has fewer columns.
      const known = (row: Row) =>
        Object.fromEntries(Object.entries(row).filter(([column]) => told[0]?.[column] !== undefined));
      // /paths returns at most 1,000 rows.
      if (told.length < 1_000) expect(found.length).toBe(told.length);
      expect(found.slice(0, told.length).map(known)).toEqual(told.map(known));
      if (Object.keys(parameters).length === 0) expect(found.length).toBeGreaterThan(2);
    });
  },
);

test('bots by day equal the read of bots for each day', async () => {
  const found = await exported(typeOf('bot-history'), {
    start: Date.UTC(2026, 9, 31),
    end: Date.UTC(2026, 10, 2),
  });
  for (const date of ['2026-10-31', '2026-11-01']) {
    const bots = (await read('/bots', { start: date, end: date })).bots as Row[];
    const own = found.filter((row) => row.date === date).map(({ date: _, ...row }) => row);
    const type = { columns: typeOf('bot-history').columns.slice(1) } as unknown as ExportType;
    expect(own).toEqual(asFile(bots, type));
    expect(own.length).toBeGreaterThan(2);
  }
});

describe('request-level exports', () => {
  const names = async (given: Row, type = 'requests') =>
    new Set((await exported(typeOf(type), given)).map((row) => row.bot_category));

  test('are filtered by bot_scope, which a named bot overrides', async () => {
    expect(await names({ bot_scope: 'search' })).toEqual(new Set(['search']));
    expect(await names({ bot_scope: 'ai' })).toEqual(new Set(['ai']));
    const named = await exported(typeOf('requests'), { bot_scope: 'ai', bot: 'googlebot' });
    expect(new Set(named.map((row) => row.bot_name))).toEqual(new Set(['Googlebot']));
    expect((await names({ bot: 'GPTBot' }, 'seo-requests')).has('ai')).toBe(true);
  });

  test.each(['verified', 'unverified', '2xx', '4xx', 'slowest'])(
    'accept the filter %s of /seo/requests',
    async (filter) => {
      const told = await allPages('/seo/requests', 'items', { filter_type: filter });
      const found = await exported(typeOf('seo-requests'), { filter });
      expect(told.length).toBeGreaterThan(0);
      expect(found.map(({ timestamp, path }) => [timestamp, path])).toEqual(
        told.map(({ timestamp, path }) => [timestamp, path]),
      );
    },
  );

  test('accept one status and a part of the path', async () => {
    const found = await exported(typeOf('requests'), { status: 404, path_filter: '/BLOG' });
    const told = await allRequests({ status: '404', path: '/blog' });
    expect(found.map((row) => row.path)).toEqual(told.map((row) => row.path));
  });

  test('have a column of the host', () => {
    for (const name of ['requests', 'seo-requests'])
      expect(typeOf(name).columns.map((column) => column.name)).toContain('host');
  });
});

test('the sum over the URLs of a pattern equals its figures', async () => {
  const { patterns } = (await read('/seo/url-patterns', { min_urls: '1' })) as { patterns: Row[] };
  expect(patterns.length).toBeGreaterThan(1);
  for (const told of patterns.slice(0, 5)) {
    const urls = await exported(typeOf('url-pattern-urls'), { pattern: told.pattern });
    expect(urls.length).toBe(told.unique_urls);
    for (const [column, field] of [
      ['requests', 'total_requests'],
      ['status_4xx', 'status_4xx'],
    ])
      expect(urls.reduce((sum, row) => sum + Number(row[column!]), 0)).toBe(told[field!]);
  }
  await expect(exported(typeOf('url-pattern-urls'), { pattern: '/no/such' })).rejects.toThrow('No URL');
});

test.each(['paths-404', 'slow-paths', 'unverified-bots'])(
  'recommendations-%s equals its read',
  async (name) => {
    const type = typeOf(`recommendations-${name}`);
    const told = (await read(`/recommendations/${name}`)).items as Row[];
    const found = await exported(type);
    expect(found.map(({ key }) => key)).toEqual(told.map(({ key }) => key));
    expect(found).toEqual(asFile(told, type));
  },
);

test('a website without requests has files without rows', async () => {
  for (const type of exportTypes.filter(({ name }) => name !== 'traffic' && name !== 'url-pattern-urls'))
    expect([type.name, await exported(type, {}, 'silent')]).toEqual([type.name, []]);
});

test.each([
  ['texts', { name: 'x', kind: 'text', sql: 't.x' }],
  ['names', { name: 'x', kind: 'name', sql: 'toLowCardinality(t.x)' }],
] as const)('%s that a spreadsheet would execute are disarmed in CSV only', async (_, column) => {
  const columns = [column];
  const texts = [
    '=1+1',
    '+1',
    '-1',
    '@x',
    '\tx',
    '\rx',
    '\nx',
    '＝x',
    '＋',
    '－x',
    '＠x',
    'plain',
    'a=1',
    'x\n=1',
    '',
    '"=1',
  ];
  const rows = {
    from: '(SELECT arrayJoin({texts: Array(String)}) AS x) AS t',
    order: '',
    params: { texts },
  };
  const file = async (format: 'csv' | 'ndjson') =>
    (
      await buffer(
        (
          await world.clickhouse.readFile({
            ...renderExport(columns, rows, format),
            name: 'test.formulas',
            compression: 'none',
            timeoutMs: 10_000,
          })
        ).bytes,
      )
    ).toString();
  expect(await file('csv')).toBe(
    `"x"\r\n${["'=1+1", "'+1", "'-1", "'@x", "'\tx", "'\rx", "'\nx", "'＝x", "'＋", "'－x", "'＠x", 'plain', 'a=1', 'x\n=1', '', '""=1'].map((text) => `"${text}"\r\n`).join('')}`,
  );
  expect((await file('ndjson')).split('\n')[0]).toBe('{"x":"=1+1"}');
});
