import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import type { AddressCounts, AddressKinds, ClientCounts, SpanCounts } from './span-counts.js';

/**
 * The kinds of addresses that alerts name, from their counts. The functions classify listed addresses. The
 * SQL finds the candidates and classifies addresses beyond the list, by the same bounds.
 */

/** A few harmless probes a day come to every website. An alert needs an active scanner. */
const LEAST_PROBES = 15;
const LEAST_PROBED_PATHS = 3;
/**
 * This many probes do not wait for a second window, and may all be of one path: an address that guesses
 * passwords. Fewer are usual for any website, as of addresses that try twenty names within seconds and never
 * return.
 */
export const SURE_PROBES = 150;
/** One probe may be a mistyped URL. */
const LEAST_PROBES_OF_CANDIDATE = 2;
/**
 * Pages a minute throughout the window, faster than people read. In a long window, an hour of it is enough.
 */
const PAGES_A_MINUTE = 8;
const LONGEST_MINUTES = 60;
/** A browser fetches pictures and styles with each page, also behind a shared address. */
const LEAST_PAGE_SHARE = 0.6;
/** Least share of different paths among its pages: a client that polls one page is a monitor. */
const LEAST_DISTINCT = 0.3;
const ENOUGH_PATHS = 150;
/**
 * Least refusals and pages not found of an address that guesses passwords or paths, at least half of its
 * requests. People have fewer.
 */
const LEAST_FAILURES = 10;
/** Declared bots of kinds that a scraping alert would only repeat. */
const DECLARED = ['search', 'ai', 'seo', 'monitoring', 'social', 'feed', 'archive', 'advertising'];

const leastProbesIn = (minutes: number) => LEAST_PROBES * Math.max(1, (minutes * MINUTE_MS) / HOUR_MS);
const leastPagesIn = (minutes: number) => PAGES_A_MINUTE * Math.min(minutes, LONGEST_MINUTES);

/** @param minutes length of the span of the counts */
export function kindsOf(client: ClientCounts, minutes: number): AddressKinds {
  const { requests, pages, notFound, rejected, probes, paths, verification, botName, botCategory } = client;
  const failures = notFound + rejected;
  const isFailing =
    client.isPerson &&
    botName === '' &&
    verification === '' &&
    failures >= LEAST_FAILURES &&
    2 * failures >= requests;
  const hasProbes = probes >= LEAST_PROBES_OF_CANDIDATE;
  return {
    isProbing:
      verification !== 'verified' &&
      probes >= leastProbesIn(minutes) &&
      (paths >= LEAST_PROBED_PATHS || probes >= SURE_PROBES),
    isScraping:
      verification !== 'verified' &&
      verification !== 'spoofed' &&
      !DECLARED.includes(botCategory) &&
      pages >= leastPagesIn(minutes) &&
      pages >= LEAST_PAGE_SHARE * requests &&
      paths >= Math.min(ENOUGH_PATHS, LEAST_DISTINCT * pages),
    hasProbes,
    // Some names of a word list are not probes by themselves. Half of a scanner's requests may be refused
    // instead, with a tenth of probes among them.
    isScanning:
      hasProbes && (2 * probes >= requests || (10 * probes >= requests && 2 * failures >= requests)),
    isFailing,
  };
}

const list = (texts: readonly string[]) => texts.map((text) => `'${text}'`).join(', ');

/** The same conditions in SQL, over columns with the names of the properties. */
export function kindsInSql(minutes: number): Readonly<Record<keyof AddressKinds, string>> {
  const failures = '(notFound + rejected)';
  const isFailing = `(isPerson AND botName = '' AND verification = '' AND ${failures} >= ${LEAST_FAILURES} AND 2 * ${failures} >= requests)`;
  const hasProbes = `probes >= ${LEAST_PROBES_OF_CANDIDATE}`;
  return {
    isProbing: `verification != 'verified' AND probes >= ${leastProbesIn(minutes)} AND (paths >= ${LEAST_PROBED_PATHS} OR probes >= ${SURE_PROBES})`,
    isScraping: `verification NOT IN ('verified', 'spoofed') AND botCategory NOT IN (${list(DECLARED)})
      AND pages >= ${leastPagesIn(minutes)} AND pages >= ${LEAST_PAGE_SHARE} * requests AND paths >= least(${ENOUGH_PATHS}, ${LEAST_DISTINCT} * pages)`,
    hasProbes,
    isScanning: `${hasProbes} AND (2 * probes >= requests OR (10 * probes >= requests AND 2 * ${failures} >= requests))`,
    isFailing,
  };
}

/**
 * The rank and the condition of each kind of candidate: addresses that may be of a kind, and addresses with a
 * disproved claim.
 */
export function candidatesInSql(minutes: number) {
  return [
    { by: 'probes', are: `probes >= ${LEAST_PROBES_OF_CANDIDATE}` },
    {
      by: 'pages',
      are: `pages >= ${leastPagesIn(minutes)} AND pages >= ${LEAST_PAGE_SHARE} * requests AND spoofed = 0 AND verified < requests`,
    },
    { by: 'spoofed', are: 'spoofed > 0' },
    {
      by: 'notFound + rejected',
      are: `people > 0 AND notFound + rejected >= ${LEAST_FAILURES} AND 2 * (notFound + rejected) >= requests`,
    },
  ] as const;
}

/** All addresses that a rule can name, with their kinds: the listed ones and the rest. */
export function namedAddresses(
  { byClient, unlisted }: SpanCounts,
  minutes: number,
): readonly AddressCounts[] {
  return [
    ...byClient.map((client) => ({ ...client, ...kindsOf(client, minutes), addresses: 1 })),
    ...unlisted,
  ];
}
