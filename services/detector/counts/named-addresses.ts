import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import type { AddressCounts, AddressKinds, ClientCounts, SpanCounts } from './span-counts.js';

/**
 * The kinds of addresses that alerts name, by their counts alone. The functions sort listed addresses. The SQL beside them finds the
 * candidates and sorts addresses beyond the list, by the same bounds.
 */

/** A few probes a day come to every website and harm nobody: an alert wants a scanner at work. */
const LEAST_PROBES = 15;
const LEAST_PROBED_PATHS = 3;
/**
 * So many at once don't wait, and may all be of one path: an address that guesses passwords. Less in one go is the background of any website:
 * addresses that try a list of twenty names within seconds and never come back.
 */
export const SURE_PROBES = 150;
/** One probe may be a mistyped URL. */
const LEAST_PROBES_OF_CANDIDATE = 2;
/** Pages a minute, kept up through the window: nobody reads so fast. In a long window, an hour of it is enough. */
const PAGES_A_MINUTE = 8;
const LONGEST_MINUTES = 60;
/** A browser fetches pictures and styles with each page; behind a shared address many browsers do. */
const LEAST_PAGE_SHARE = 0.6;
/** Different paths among its pages: who polls one page is a monitor. */
const LEAST_DISTINCT = 0.3;
const ENOUGH_PATHS = 150;
/** Refusals and pages not found of an address that guesses passwords or paths, at least half of its requests. People meet fewer. */
const LEAST_FAILURES = 10;
/** Bots that say what they are, of kinds that a rule of scraping would only repeat. */
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
    // A word list has names, too, that are no probes by themselves: it is known by what it is refused, with a tenth of probes in it.
    isScanning:
      hasProbes && (2 * probes >= requests || (10 * probes >= requests && 2 * failures >= requests)),
    isFailing,
  };
}

const list = (texts: readonly string[]) => texts.map((text) => `'${text}'`).join(', ');

/** The same in SQL, of columns with the names of the properties. */
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

/** The rank and the condition of each kind of candidate: addresses that may be of a kind, and addresses whose claim is disproved. */
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
