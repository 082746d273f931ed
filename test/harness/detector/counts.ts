import {
  type AddressCounts,
  type BotCounts,
  type ClientCounts,
  emptyCounts,
  NO_TIMES,
  type SpanCounts,
} from '../../../services/detector/counts/span-counts.js';

/** Counts for tests. Failures of bots follow from their list, unless they are given. */

type BotFailures = Pick<SpanCounts, 'botsNotFound' | 'botsOther4xx' | 'bots5xx'>;

function listedFailures(byBot: readonly BotCounts[]): BotFailures {
  const failures: { -readonly [Field in keyof BotFailures]: number } = {
    botsNotFound: 0,
    botsOther4xx: 0,
    bots5xx: 0,
  };
  for (const { notFound, rejected, status5xx } of byBot) {
    failures.botsNotFound += notFound;
    failures.botsOther4xx += rejected;
    failures.bots5xx += status5xx;
  }
  return failures;
}

export function countsOf(given: Partial<SpanCounts>): SpanCounts {
  return { ...emptyCounts(0), ...listedFailures(given.byBot ?? []), ...given };
}

export function botOf(given: Partial<BotCounts>): BotCounts {
  return {
    name: 'Examplebot',
    family: 'Examplebot',
    operator: 'Example',
    category: 'search',
    verification: 'unverifiable',
    requests: 1,
    notFound: 0,
    rejected: 0,
    status5xx: 0,
    sampleIp: '192.0.2.1',
    sampleUserAgent: 'Examplebot/1.0',
    samplePath: '',
    ...given,
  };
}

export function clientOf(given: Partial<ClientCounts>): ClientCounts {
  return {
    at: NO_TIMES,
    ip: '192.0.2.1',
    country: 'DE',
    asn: 64_500,
    asName: 'Example',
    requests: 1,
    pages: 0,
    notFound: 0,
    rejected: 0,
    status5xx: 0,
    probes: 0,
    paths: 1,
    isPerson: false,
    botName: '',
    botCategory: '',
    verification: '',
    sampleUserAgent: 'curl/8',
    samplePaths: ['/'],
    ...given,
  };
}

/** Addresses beyond the list. */
export function addressesOf(given: Partial<AddressCounts>): AddressCounts {
  return {
    ...{ isProbing: false, isScraping: false, hasProbes: false, isScanning: false, isFailing: false },
    ...{ requests: 1, pages: 0, notFound: 0, rejected: 0, status5xx: 0, probes: 0 },
    ...{ isPerson: false, botName: '', verification: '', addresses: 1 },
    ...given,
  };
}
