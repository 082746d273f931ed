/**
 * The counts of a website's requests in a time span: an interval of five minutes, or a window of several.
 * Counts are exact.
 *
 * Lists contain every bot and address that a rule can name, up to a bound; addresses beyond it are summed.
 * For evidence there are also the other addresses with most requests (address-statements.ts).
 */
export interface SpanCounts {
  /** Start, milliseconds since the epoch. */
  readonly start: number;
  readonly requests: number;
  readonly people: number;
  /** `requests - people` */
  readonly bots: number;
  /** Requests of search crawlers whose claim is not disproved. */
  readonly crawlers: number;
  /** Requests of AI bots whose claim is not disproved. */
  readonly aiBots: number;
  readonly spoofed: number;
  readonly undeclared: number;
  readonly status4xx: number;
  /** Only 404: 410 means that a page was removed deliberately. */
  readonly notFound: number;
  /** 401, 402, 403, 429 and 451 */
  readonly rejected: number;
  readonly status5xx: number;
  /** When failures came. */
  readonly failedAt: Readonly<Record<FailureKind, RequestTimes>>;
  /** Requests with a known duration, and the sum of the durations in milliseconds. */
  readonly timed: number;
  readonly timeTakenMs: number;
  /** Failures of bots: 404, other 4xx, 5xx. The rest are failures of people. */
  readonly botsNotFound: number;
  readonly botsOther4xx: number;
  readonly bots5xx: number;
  /** Starts of the minutes with requests, in rising order; empty unless the span is one interval. */
  readonly minutes: readonly number[];
  /** More bots than the list can contain: a missing bot means nothing. */
  readonly lacksBots: boolean;
  readonly byBot: readonly BotCounts[];
  readonly byClient: readonly ClientCounts[];
  /** Addresses that a rule can name beyond the list, summed by kind and claim. */
  readonly unlisted: readonly AddressCounts[];
  /**
   * The paths with most requests for each kind of result: served, not found, refused for another reason, and
   * server error.
   */
  readonly paths: readonly PathCounts[];
}

export const failureKinds = ['notFound', 'rejected', 'status5xx'] as const;
export type FailureKind = (typeof failureKinds)[number];

/** The first and the last of some requests, in milliseconds since the epoch; both 0: there is none. */
export interface RequestTimes {
  readonly first: number;
  readonly last: number;
}

export const NO_TIMES: RequestTimes = { first: 0, last: 0 };

/** The first and the last request of several groups. */
export function earliestAndLatest(times: readonly RequestTimes[]): RequestTimes {
  const known = times.filter(({ first }) => first > 0);
  if (known.length === 0) return NO_TIMES;
  return {
    first: Math.min(...known.map(({ first }) => first)),
    last: Math.max(...known.map(({ last }) => last)),
  };
}

/**
 * The lists that are counted, each including the ones before it, since a list costs more than all totals.
 * - `bots`: bots only.
 * - `named`: also the addresses that a rule can name.
 * - `all`: also, for evidence, the other addresses with most requests and with most failures, and paths.
 */
export const countedLists = ['none', 'bots', 'named', 'all'] as const;
export type CountedLists = (typeof countedLists)[number];

/**
 * Requests of one claimed bot with one verdict, or of one operator's undeclared agents. Late verdicts are
 * included.
 */
export interface BotCounts {
  /** '' for undeclared agents. */
  readonly name: string;
  readonly family: string;
  readonly operator: string;
  readonly category: string;
  /** verified, spoofed, unverifiable, pending, undeclared */
  readonly verification: string;
  readonly requests: number;
  readonly notFound: number;
  readonly rejected: number;
  readonly status5xx: number;
  readonly sampleIp: string;
  readonly sampleUserAgent: string;
  /** Path of a failed request, if any failed. */
  readonly samplePath: string;
}

/** Requests of one address. */
export interface ClientCounts {
  readonly at: RequestTimes;
  readonly ip: string;
  readonly country: string;
  readonly asn: number;
  readonly asName: string;
  readonly requests: number;
  /** Requests for file types that are pages. */
  readonly pages: number;
  readonly notFound: number;
  readonly rejected: number;
  readonly status5xx: number;
  /** Requests that only a scanner for vulnerabilities makes (shared/detection/probes.ts). */
  readonly probes: number;
  /** Different paths, counted up to {@link MAX_DISTINCT_PATHS}. */
  readonly paths: number;
  /** Whether any of its requests is in the traffic class of people. */
  readonly isPerson: boolean;
  /** The claimed bot and the verdict; '' without a claim. A disproved claim takes precedence. */
  readonly botName: string;
  readonly botCategory: string;
  readonly verification: string;
  readonly sampleUserAgent: string;
  /** At most three, probed ones first. */
  readonly samplePaths: readonly string[];
}

/** The kinds of an address that rules use (named-addresses.ts). */
export interface AddressKinds {
  readonly isProbing: boolean;
  readonly isScraping: boolean;
  /** At least two, since one may be a mistyped URL. */
  readonly hasProbes: boolean;
  /** Most of its requests belong to a scan. An address with fewer probes may have other visitors. */
  readonly isScanning: boolean;
  /** A person by class, with at least half of its requests refused or not found. */
  readonly isFailing: boolean;
}

/** Addresses of the same kinds with the same claim, summed. Claims beyond a bound share an empty name. */
export interface AddressCounts
  extends AddressKinds,
    Pick<ClientCounts, 'requests' | 'pages' | 'notFound' | 'rejected' | 'status5xx' | 'probes'>,
    Pick<ClientCounts, 'isPerson' | 'botName' | 'verification'> {
  readonly addresses: number;
}

/**
 * Most bot names that are listed in a span, and remembered. Verifiable crawlers are far fewer, and come
 * first.
 */
export const MAX_BOTS = 2_000;

export const MAX_DISTINCT_PATHS = 200;

export interface PathCounts {
  readonly path: string;
  readonly status: number;
  readonly requests: number;
}

/**
 * A span without requests.
 * @param start milliseconds since the epoch
 */
export function emptyCounts(start: number): SpanCounts {
  return {
    start,
    requests: 0,
    people: 0,
    bots: 0,
    crawlers: 0,
    aiBots: 0,
    spoofed: 0,
    undeclared: 0,
    status4xx: 0,
    notFound: 0,
    rejected: 0,
    status5xx: 0,
    failedAt: { notFound: NO_TIMES, rejected: NO_TIMES, status5xx: NO_TIMES },
    timed: 0,
    timeTakenMs: 0,
    botsNotFound: 0,
    botsOther4xx: 0,
    bots5xx: 0,
    minutes: [],
    lacksBots: false,
    byBot: [],
    byClient: [],
    unlisted: [],
    paths: [],
  };
}
