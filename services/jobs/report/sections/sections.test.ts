import { expect, test } from 'vitest';
import { type Changes, reportData } from '../../../../test/harness/jobs/report-data.js';
import { composeReport } from '../compose-report.js';
import type { Block } from '../model/document.js';

/** The content of the sections, and when they are left out. */

const sectionsOf = (changes: Changes) => composeReport(reportData(changes), [], null).sections;
const blocksOf = (id: string, changes: Changes) =>
  sectionsOf(changes).find((section) => section.id === id)?.blocks ?? null;
const rowsOf = (blocks: readonly Block[] | null) =>
  (blocks ?? []).flatMap((block) => (block.kind === 'table' ? block.rows : []));

const bucket = { bucket: '1', pages: 4, crawled_pct: 75, hits_per_page: 2.345 };
const ignored = [{ path: '/new', depth: 3, inlinks: 2, impressions_28d: 1_200 }];
const findings = [{ key: 'broken_links', severity: 'high', count: 3, bot_hits: 12, rows: [] }];
const told = { impressions: 9_000, clicks: 90, ctr: 0.01, position: 8.25 };
const performance = {
  ...{ available: true, source: 'google-search-console' },
  window: { start: '2026-11-13', end: '2026-11-19', days: 7, data_through: '2026-11-19' },
  totals: { ...told, days_with_data: 7 },
  previous: { ...told, impressions: 6_000, clicks: 0, days_with_data: 7 },
  top_queries: [{ query: 'water filter', ...told }],
  top_pages: [{ path: '/filters', ...told }],
};

test('a website without a crawl and without a source has neither section', () => {
  const ids = sectionsOf({ siteCrawl: { available: false } }).map(({ id }) => id);
  expect(ids).not.toContain('site');
  expect(ids).not.toContain('search-results');
});

test('the site crawl has its pages by depth, those that crawlers ignore, and the findings of its audit', () => {
  const blocks = blocksOf('site', {
    siteCrawl: { summary: { ignored: 1, orphans: 2 }, by_depth: [bucket], ignored },
    siteAudit: { findings },
  });
  expect(rowsOf(blocks)).toEqual([
    ['1', '4', '75 %', '2.3'],
    ['/new', '3', '2', '1,200'],
    ['broken links', 'high', '3', '12'],
  ]);
  expect(JSON.stringify(blocks)).toContain('on 20 November 2026');
});

test('a crawl that is too large to read is reported as such', () => {
  expect(blocksOf('site', { siteCrawl: null, siteAudit: null })).toHaveLength(2);
});

test('search results are compared only with a period whose days all have data', () => {
  const notes = (changes: Changes) =>
    blocksOf('search-results', { searchResults: { ...performance, ...changes } })!.flatMap((block) =>
      block.kind === 'figures' ? block.figures.map(({ note }) => note) : [],
    );
  expect(notes({}).slice(0, 2)).toEqual(['+50 % on the period before', '']);
  const partly = { previous: { ...performance.previous, days_with_data: 6 } };
  expect(notes(partly)[0]).toBe('');
});

test('search results list queries and pages, and report missing days', () => {
  const blocks = blocksOf('search-results', {
    searchResults: { ...performance, totals: { ...told, days_with_data: 5 } },
  });
  expect(rowsOf(blocks)).toEqual([
    ['water filter', '9,000', '90', '1 %', '8.3'],
    ['/filters', '9,000', '90', '1 %', '8.3'],
  ]);
  expect(JSON.stringify(blocks)).toContain('It has data for 5 of these 7 days.');
});

test('each crawler has a row of served and blocked requests, with separate columns for verified ones and for 402', () => {
  const split = (verified: number, unverified = 0) => ({ verified, unverified, spoofed: unverified });
  const crawler = (bot_name: string, bot_category: string, real_crawler: string) => ({
    ...{ bot_name, bot_category, real_crawler },
    ...{ served: split(0), rejected: split(0), payment_required: split(0) },
  });
  const bots = [
    { ...crawler('GPTBot', 'ai', 'inverted'), served: split(0, 8), rejected: split(133) },
    { ...crawler('ClaudeBot', 'ai', 'charged'), payment_required: split(60) },
    { ...crawler('Googlebot', 'search', 'let_in'), served: split(900), rejected: split(0, 40) },
    { ...crawler('UptimeRobot', 'monitor', 'let_in'), served: split(900) },
  ];
  expect(rowsOf(blocksOf('access', { access: { bots } }))).toEqual([
    ['GPTBot', 'blocked, impostors are served', '0', '133', '0', '8', '0'],
    ['ClaudeBot', 'asked to pay (402)', '0', '0', '60', '0', '0'],
    ['Googlebot', 'let in', '900', '0', '0', '0', '40'],
  ]);
});

test('the pages of AI crawlers are those of the counted requests, and the section names the basis', () => {
  const page = (path: string) => ({
    path,
    requests: 50,
    unique_bots: 1,
    status_2xx: 0,
    status_3xx: 0,
    status_4xx: 50,
    status_5xx: 0,
  });
  const crawlers = [{ bot_name: 'GPTBot', bot_operator: '', requests: 90, intent: 'training' }];
  const blocks = blocksOf('ai', {
    llms: { crawlers, pages: [page('/claimed')] },
    aiPages: { pages: [page('/proved')] },
  });
  expect(rowsOf(blocks)).toEqual([['/proved', '50', '1', '50']]);
  expect(JSON.stringify(blocks)).toContain('counted by verified requests');
  const unproved = blocksOf('ai', { llms: { crawlers }, aiPages: { basis: 'unproved' } });
  expect(JSON.stringify(unproved)).toContain('No request is verified as from an AI crawler.');
});

test('requests of an operator are counted by intent, and those for a user are not counted for search', () => {
  const crawler = (bot_name: string, bot_operator: string, intent: string, requests: number) => ({
    ...{ bot_name, bot_operator, intent, requests },
  });
  const crawlers = [
    crawler('ChatGPT-User', 'OpenAI', 'fetcher', 394),
    crawler('GPTBot', 'OpenAI', 'training', 90),
    crawler('PerplexityBot', 'Perplexity', 'search', 40),
    crawler('Perplexity-User', 'Perplexity', 'fetcher', 7),
    crawler('ai-fetch', '', 'fetcher', 5),
    crawler('Bytespider', 'ByteDance', 'training', 0),
  ];
  const operator = (name: string, fetches: number, citations: number, referrals: number) => ({
    ...{ operator: name, training_requests: 0, fetches, citations, referrals },
  });
  const operators = [
    operator('OpenAI', 394, 205, 3),
    operator('Perplexity', 47, 0, 0),
    operator('Microsoft', 0, 0, 2),
  ];
  expect(rowsOf(blocksOf('ai', { llms: { crawlers }, aiFunnel: { operators } }))).toEqual([
    ['OpenAI', '90', '0', '394', '3'],
    ['Perplexity', '0', '40', '7', '0'],
    ['Microsoft', '0', '0', '0', '2'],
  ]);
});

test('the summary compares the figures with the period before, shares in percentage points', () => {
  const blocks = blocksOf('summary', {
    crawl: { requests: 2_000, requestsBefore: 1_000, notFound: 100, serverErrors: 0, meanMs: 150 },
    crawlBefore: { requests: 1_000, notFound: 20, serverErrors: 0, meanMs: 100 },
    aiFunnel: { totals: { referrals: 30, previous: { referrals: 20 } } },
  });
  expect(rowsOf(blocks)).toEqual([
    ['Requests', '9,900', '10,000', '+1 %'],
    ['Requests from people', '5,940', '6,000', '+1 %'],
    ['Verified requests from search crawlers', '1,000', '2,000', '+100 %'],
    ['Requests from AI crawlers', '0', '1,000', 'new'],
    ['Visits from AI assistants', '20', '30', '+50 %'],
    ['Search crawlers: not found (404)', '2 %', '5 %', '+3 points'],
    ['Search crawlers: server errors (5xx)', '0 %', '0 %', 'no change'],
    ['Search crawlers: average response time', '100 ms', '150 ms', '+50 %'],
  ]);
});

test('a report without a period before reports the missing comparison once', () => {
  const none = { total_requests_pct: null, human_requests_pct: null, ai_bot_requests_pct: null };
  const text = JSON.stringify(sectionsOf({ summary: { deltas: none } }));
  expect(text.match(/Nothing is compared|nothing is compared|nothing to compare/g)).toHaveLength(1);
});

test('the summary lists landing pages of AI visits, and the checks that changed', () => {
  const flipped = { id: 'title', title: 'Title', verdict: 'fail', previous_verdict: 'pass' };
  const blocks = blocksOf('summary', {
    aiLanding: { pages: [{ path: '/a', visits: 5, operators: { Perplexity: 1, OpenAI: 4 } }] },
    checks: {
      checks: [{ ...flipped, flipped_at: '2026-11-20T03:00:00.000Z', weight: 5, evidence: { note: '' } }],
    },
  });
  expect(rowsOf(blocks)).toContainEqual(['/a', '5', 'OpenAI 4, Perplexity 1']);
  expect(JSON.stringify(blocks)).toContain('1 check changed: Title (pass to fail).');
});

test('on a closed network one line replaces the checks that need a fetch', () => {
  const reason = 'This installation fetches nothing from websites.';
  const blocks = blocksOf('checks', {
    checks: { summary: { pass: 14, unknown: 43 }, not_reached: { checks: 42, reason } },
  });
  const [counts, line] = blocks!;
  expect(counts).toMatchObject({ figures: [{}, {}, {}, { label: 'Unknown', value: '1' }] });
  expect(line).toMatchObject({
    text: expect.stringContaining('42 checks need responses from the website'),
  });
});

test('an alert has the time of its first request, else of its message', () => {
  const fired = { created_at: '2026-11-20T08:00:00.000Z', severity: 'warning', message: 'It fell.' };
  const alerts = [
    { ...fired, details: { at: '2026-11-20T11:35:00.000Z' } },
    { ...fired, details: {} },
    { ...fired, details: { at: 7 } },
    { ...fired, details: { at: '2026-11-20T11:35:00.000Z', first_request_at: '2026-11-20T07:51:12.000Z' } },
  ];
  const checks = { checks: [] };
  expect(rowsOf(blocksOf('checks', { alerts: { alerts }, checks }))).toEqual([
    ['2026-11-20 11:35', 'warning', 'It fell.'],
    ['2026-11-20 08:00', 'warning', 'It fell.'],
    ['2026-11-20 08:00', 'warning', 'It fell.'],
    ['2026-11-20 07:51', 'warning', 'It fell.'],
  ]);
});

test('without an alert, the section says whether all logs of the period were evaluated', () => {
  const textOf = (changes: Changes) => JSON.stringify(blocksOf('checks', changes));
  expect(textOf({})).toContain('No alert was raised in the period.');
  const waiting = textOf({ unjudgedHours: 26 });
  expect(waiting).not.toContain('No alert was raised in the period.');
  expect(waiting).toContain('so far. The logs of 26 hours are not yet evaluated for alerts.');
  const alerts = [{ created_at: '2026-11-20T08:00:00.000Z', severity: 'warning', message: '', details: {} }];
  expect(textOf({ unjudgedHours: 1, alerts: { alerts }, checks: { checks: [] } })).toContain(
    'The logs of 1 hour are not yet evaluated for alerts.',
  );
});

const day = (time: string, requests: number) => ({
  ...{ time: `${time}T00:00:00.000Z`, requests },
  ...{ search_bot_requests: requests / 2, ai_bot_requests: 0, other_bot_requests: 0 },
});

test('a day without logs is no 0 in the charts, and the first page names the days that have logs', () => {
  const traffic = {
    daily: [day('2026-11-18', 0), day('2026-11-19', 0), day('2026-11-20', 40), day('2026-11-21', 60)],
  };
  const first = JSON.stringify(blocksOf('summary', { traffic }));
  expect(first).toContain('2 days of 4 have logs: 20 November 2026 to 21 November 2026.');
  const charts = blocksOf('traffic', { traffic })!.flatMap((block) =>
    block.kind === 'chart' ? [block] : [],
  );
  const points = charts[0]!.svg.match(/<polyline points="([^"]*)"/)![1]!.split(' ');
  expect(points).toHaveLength(2);
  expect(charts[0]!.alt).toContain('Lines over 2 days with logs');
});

test('spans of days with logs are named, but only the first of many', () => {
  const daily = [1, 3, 4, 6, 8, 9].map((date) => day(`2026-11-0${date}`, 9));
  const gaps = [2, 5, 7].map((date) => day(`2026-11-0${date}`, 0));
  const all = [...daily, ...gaps].toSorted((one, other) => (one.time < other.time ? -1 : 1));
  expect(JSON.stringify(blocksOf('summary', { traffic: { daily: all } }))).toContain(
    '6 days of 9 have logs: 1 November 2026; 3 November 2026 to 4 November 2026; 6 November 2026; and 1 later span.',
  );
});

test('one label has one figure: requests from search crawlers, with the verified ones next to it', () => {
  const changes = {
    ...{ summary: { search_bot_requests: 1_143 }, crawl: { requests: 580 }, seo: { verified_requests: 580 } },
  };
  const figures = sectionsOf(changes).flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === 'figures' ? block.figures : [])),
  );
  const told = figures.filter(({ label }) => label === 'From search crawlers');
  const one = { label: 'From search crawlers', value: '1,143', note: '580 verified' };
  expect(told).toEqual([one, one]);
});
