import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ClickHouse } from '../store/client.js';
import type { DataChange } from './data-change.js';
import { tablesBesideRows, watchWrites } from './watch-writes.js';

const row = (table: string) => ({ table, columns: [], rows: Buffer.from(''), deduplicationToken: '' });

function setUp() {
  const steps: (string | DataChange)[] = [];
  let fails = false;
  const write = async (what: string) => {
    if (fails) throw new Error('timed out');
    steps.push(what);
  };
  const clickhouse = {
    insert: ({ table }: { table: string }) => write(table),
    command: (sql: string) => write(sql),
  } as unknown as ClickHouse;
  const watched = watchWrites(clickhouse, (changes) => steps.push(...changes));
  return {
    steps,
    watched,
    fail: () => {
      fails = true;
    },
  };
}

const everything = { websiteId: null, keepsRows: false };
const beside = (websiteId: string | null) => ({ websiteId, keepsRows: true });

it('reports a write when it is readable, and a failed write, since it may have been stored', async () => {
  const { steps, watched, fail } = setUp();
  await watched.insert(row('site_events'));
  await watched.command('ALTER TABLE x DELETE');
  expect(steps).toEqual(['site_events', beside(null), 'ALTER TABLE x DELETE', everything]);
  fail();
  await expect(watched.insert(row('a_table_to_come'))).rejects.toThrow('timed out');
  await expect(watched.command('x')).rejects.toThrow('timed out');
  expect(steps.slice(4)).toEqual([everything, everything]);
});

it.each([
  ...['requests', 'claim_verdicts', 'alerts', 'health_points'],
  ...['upload_blocks', 'control_snapshots', 'api_key_uses', 'job_runs', 'detector_states'],
  ...['detector_arrivals', 'insight_tokens'],
])('does not report %s: its writer reports the website, or no answer reads it', async (table) => {
  const { steps, watched } = setUp();
  await watched.insert(row(table));
  expect(steps).toEqual([table]);
});

it('reports inserts of alerts that name their website, as the nightly checks do', async () => {
  const { steps, watched } = setUp();
  await watched.insert({ ...row('alerts'), websiteId: 'web_1' });
  expect(steps).toEqual(['alerts', beside('web_1')]);
});

it('reports one website if a write names it', async () => {
  const { steps, watched, fail } = setUp();
  const [build, erasure] = ['INSERT INTO page_importance SELECT', 'ALTER TABLE requests DELETE WHERE 1'];
  await watched.insert({ ...row('sitemap_urls'), websiteId: 'web_1' });
  await watched.command(build, { website_id: 'web_2' });
  await watched.command(erasure, { website_id: 'web_2' });
  expect(steps).toEqual([
    ...['sitemap_urls', beside('web_1'), build, beside('web_2')],
    ...[erasure, { websiteId: 'web_2', keepsRows: false }],
  ]);
  fail();
  await expect(watched.insert({ ...row('sitemap_urls'), websiteId: 'web_3' })).rejects.toThrow('timed out');
  expect(steps.slice(6)).toEqual([beside('web_3')]);
});

it('knows every table of the schema that does not follow requests', () => {
  const folder = join(import.meta.dirname, '../store/migrations');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.sql'),
  );
  const sql = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  const tables = Array.from(sql.matchAll(/CREATE TABLE IF NOT EXISTS (\w+)/g), ([, table]) => table!);
  const views = new Set(
    Array.from(sql.matchAll(/CREATE MATERIALIZED VIEW [^;]*? TO (\w+)/g), ([, table]) => table),
  );
  expect(views.size).toBeGreaterThan(10);
  const others = tables.filter((table) => table !== 'requests' && !views.has(table));
  expect([...tablesBesideRows].sort()).toEqual(others.sort());
});
