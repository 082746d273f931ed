import { expect, test } from 'vitest';
import type { ClickHouseWriter } from '../../../../shared/store/client.js';
import { createCrawlState } from './crawl-state.js';
import { createListedPages } from './listed-pages.js';

const ORIGIN = 'https://shop.example';
const domain = 'shop.example';

function stateOf(storedLinks: number) {
  const written: string[] = [];
  const writer = {
    async insert({ table, rows }: { table: string; rows: Buffer }) {
      for (const line of rows.toString().split('\n')) if (line !== '') written.push(`${table} ${line}`);
    },
  } as unknown as ClickHouseWriter;
  const crawl = { websiteId: 'shop', crawlId: 'c', domain, seeds: [], maxPages: 5_000, queryKeys: [] };
  const state = createCrawlState(
    {
      ...{ crawl: { ...crawl, renderJs: false }, site: { domain, queryKeys: new Set() } },
      ...{ listed: createListedPages(), stored: [], storedLinks },
    },
    { writer, now: () => 0 },
  );
  return { state, of: (table: string) => written.filter((row) => row.startsWith(table)) };
}

async function takeHome(state: ReturnType<typeof stateOf>['state'], html: string): Promise<void> {
  state.begin(`${ORIGIN}/`);
  const answer = {
    ...{ status: 200, error: '', headers: new Headers({ 'content-type': 'text/html' }), xRobotsTag: '' },
    ...{ ms: 1, bytes: html.length, html },
  };
  await state.take(state.next()!, { kind: 'answered', answer, throttledInRow: 0, at: 1 });
  await state.flush(true);
}

const HTML = '<link rel=canonical href=/to><a href=/1>1</a><a href=/2>2</a><a href=/3>3</a>';

test('a crawl stores as many links as fit into memory as a graph; pages behind further links are crawled too', async () => {
  const { state, of } = stateOf(9_999_998);
  await takeHome(state, HTML);
  expect(of('crawl_links')).toHaveLength(2);
  expect(state.leftOut().get('links')).toBe(2);
  expect(state.progress().known).toBe(5);
});

test('all links of a usual crawl are stored', async () => {
  const { state, of } = stateOf(0);
  await takeHome(state, HTML);
  expect(of('crawl_links')).toHaveLength(4);
  expect(state.leftOut().get('links')).toBe(0);
});
