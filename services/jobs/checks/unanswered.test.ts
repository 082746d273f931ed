import { expect, test } from 'vitest';
import { answered, failed, gathered, robots } from '../../../test/harness/jobs/check-facts.js';
import { checks } from './all-checks.js';
import { absent } from './facts/check.js';
import type { Facts } from './facts/facts.js';
import { absentFor } from './facts/retrievals.js';
import { noWebsite } from './gather/gather-website.js';
import { judgeWebsite } from './judge-website.js';

/** A website whose addresses all respond in one way. Its checks report that response and make no statement about the pages. */
const ofWebsite: readonly (keyof Facts)[] = [
  ...(['home', 'plain', 'otherHost', 'page', 'pages', 'again', 'madeUp', 'slash', 'listed'] as const),
  ...(['asset', 'favicon', 'llms'] as const),
];
const checksOfWebsite = checks.filter(({ needs }) => needs.some((need) => ofWebsite.includes(need)));

/** The checks that can still be judged. */
const SEEN = new Map<string, readonly string[]>([
  ['403', ['https_answers', 'certificate_days']],
  ['429', ['https_answers', 'certificate_days']],
  ['503', ['https_answers', 'certificate_days', 'home_answers']],
  ['a time-out', []],
]);

const answer = (status: number) => ({
  home: answered(status),
  plain: answered(status, { finalUrl: 'http://example.com/' }),
  otherHost: answered(status, { finalUrl: 'https://www.example.com/' }),
});
const timeOut = { home: failed('timeout'), plain: failed('timeout'), otherHost: failed('timeout') };
const cases = [
  { of: '403', entrances: answer(403) },
  { of: '429', entrances: answer(429) },
  { of: '503', entrances: answer(503) },
  { of: 'a time-out', entrances: timeOut },
];

test.each(cases)(
  'a website that responds $of to every request has verdicts about that response alone',
  (one) => {
    const { of, entrances } = one;
    // The facts as they are gathered if the home page cannot be read.
    const facts = gathered({ ...noWebsite(absentFor('The home page', entrances.home)), ...entrances });
    const judged = checksOfWebsite.filter(({ judge }) => judge(facts).verdict !== 'unknown');
    const mayBeAbsent = of === 'a time-out' ? ['http_to_https'] : [];
    expect(
      judged
        .map(({ id }) => id)
        .filter((id) => !mayBeAbsent.includes(id))
        .sort(),
    ).toEqual([...SEEN.get(of)!].sort());
    for (const id of mayBeAbsent)
      expect(checks.find((check) => check.id === id)!.judge(facts).verdict).toBe('not_applicable');
  },
);

test.each(cases)('so has a website whose home page responds and whose other addresses respond $of', (one) => {
  const { home: other } = one.entrances;
  const facts = gathered({
    ...{ plain: one.entrances.plain, otherHost: one.entrances.otherHost, again: other, madeUp: other },
    ...{ listed: [other], asset: other, favicon: other, llms: other },
    slash: { page: (gathered() as Facts).slash.page, twin: other },
  });
  const late: readonly string[] = [
    ...['plain', 'otherHost', 'again', 'madeUp', 'listed', 'asset', 'favicon', 'llms', 'slash'],
  ];
  const judged = checksOfWebsite
    .filter(({ needs }) => needs.some((need) => late.includes(need)))
    .filter(({ judge }) => judge(facts).verdict !== 'unknown')
    .map(({ id }) => id);
  const seen = new Map([
    ['403', ['https_answers']],
    ['429', ['https_answers']],
    // Server errors are what these checks look for.
    ['503', ['https_answers', 'sitemap_urls_answer', 'unknown_path']],
    // Without a response over http or by the other name, the home page is the only address.
    ['a time-out', ['http_to_https', 'https_answers', 'redirect_hops']],
  ]);
  expect(judged.sort()).toEqual(seen.get(one.of));
});

test('a robots.txt that rejects Loglane is not judged', () => {
  const robotsChecks = checks.filter(({ needs }) => needs.includes('robots'));
  for (const status of ['blocked', 'unreachable'] as const) {
    const kept = robots({ status, httpStatus: null, content: null, violations: null });
    for (const { id, judge } of robotsChecks)
      expect(judge(gathered({ robots: kept })).verdict, id).toBe('unknown');
  }
});

const noLog = { error: () => {} };
const off = absent('This installation fetches nothing from websites.', 'not_checked');
const nowhere = failed('dns');

test.each([
  ['fetching is off', noWebsite(off), 'This installation fetches nothing from websites.'],
  [
    'no address answers',
    { ...noWebsite(absentFor('The home page', nowhere)), home: nowhere, plain: nowhere, otherHost: nowhere },
    'The website could not be read: example.com: dns.',
  ],
])('where %s, the checks that need a fetch are unknown for one reason', async (_case, website, reason) => {
  const results = await judgeWebsite(checks, gathered(website), noLog);
  const unknown = results.filter(({ verdict }) => verdict === 'unknown');
  expect(unknown.length).toBeGreaterThan(20);
  for (const { checkId, evidence } of unknown) expect(evidence.not_reached, checkId).toBe(reason);
});

test('a website that blocks Loglane counts as reached', async () => {
  const home = answered(403);
  const facts = gathered({ ...noWebsite(absentFor('The home page', home)), home });
  const results = await judgeWebsite(checks, facts, noLog);
  for (const { checkId, evidence } of results) expect(evidence.not_reached, checkId).toBeUndefined();
});
