import { expect, it } from 'vitest';
import type { ClickHouse } from '../../shared/store/client.js';
import { watchWrites } from './watch-writes.js';

const row = (table: string) => ({ table, columns: [], rows: Buffer.from(''), deduplicationToken: '' });

function setUp() {
  const steps: string[] = [];
  let fails = false;
  const write = async (what: string) => {
    if (fails) throw new Error('timed out');
    steps.push(what);
  };
  const clickhouse = {
    insert: ({ table }: { table: string }) => write(table),
    command: (sql: string) => write(sql),
  } as unknown as ClickHouse;
  const watched = watchWrites(clickhouse, {
    raise: (websiteIds) => steps.push(`told of ${[...websiteIds].join()}`),
    raiseAll: () => steps.push('told'),
  });
  return {
    steps,
    watched,
    fail: () => {
      fails = true;
    },
  };
}

it('reports a write when it is readable, and a failed write, since it may have been stored', async () => {
  const { steps, watched, fail } = setUp();
  await watched.insert(row('site_events'));
  await watched.command('ALTER TABLE x DELETE');
  expect(steps).toEqual(['site_events', 'told', 'ALTER TABLE x DELETE', 'told']);
  fail();
  await expect(watched.insert(row('a_table_to_come'))).rejects.toThrow('timed out');
  await expect(watched.command('x')).rejects.toThrow('timed out');
  expect(steps.slice(4)).toEqual(['told', 'told']);
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
  expect(steps).toEqual(['alerts', 'told of web_1']);
});

it('reports one website if a write names it', async () => {
  const { steps, watched, fail } = setUp();
  await watched.insert({ ...row('sitemap_urls'), websiteId: 'web_1' });
  await watched.command('INSERT INTO page_importance SELECT', { website_id: 'web_2' });
  expect(steps).toEqual([
    'sitemap_urls',
    'told of web_1',
    'INSERT INTO page_importance SELECT',
    'told of web_2',
  ]);
  fail();
  await expect(watched.insert({ ...row('sitemap_urls'), websiteId: 'web_3' })).rejects.toThrow('timed out');
  expect(steps.slice(4)).toEqual(['told of web_3']);
});
