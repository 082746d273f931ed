/**
 * The counts of a website's requests in a span of time: an interval of five minutes, or a window of several. Counts are exact. Lists have
 * every bot and address that a rule can name, up to a bound. Addresses beyond it are added up. For evidence there are also the busiest of
 * the others (address-statements.ts).
 */
export interface SpanCounts {
  /** Its beginning, milliseconds since the epoch. */
  readonly start: number;
  readonly requests: number;
  readonly people: number;
  /** `requests - people` */
  readonly bots: number;
  /** Requests of search crawlers that are not proven impostors. */
  readonly crawlers: number;
  /** Requests of AI bots that are not proven impostors. */
  readonly aiBots: number;
  readonly spoofed: number;
  readonly undeclared: number;
  readonly status4xx: number;
  /** 404 alone: 410 says that a page was taken down. */
  readonly notFound: number;
  /** 401, 402, 403, 429 and 451 */
  readonly rejected: number;
  readonly status5xx: number;
  /** Requests whose time is known, and their sum in milliseconds. */
  readonly timed: number;
  readonly timeTakenMs: number;
  /** Failures of bots: 404, other 4xx, 5xx. The rest are failures of people. */
  readonly botsNotFound: number;
  readonly botsOther4xx: number;
  readonly bots5xx: number;
  /** Beginnings of the minutes with requests, in rising order; empty for a span other than one interval. */
  readonly minutes: readonly number[];
  /** The bots were more than the store could list: their absence says nothing. */
  readonly lacksBots: boolean;
  readonly byBot: readonly BotCounts[];
  readonly byClient: readonly ClientCounts[];
  /** The addresses that a rule can name and that are beyond the list, added up by kind and claim. */
  readonly unlisted: readonly AddressCounts[];
  /** The paths with most requests that were served, not found, refused for another reason, and that met errors of the server. */
  readonly paths: readonly PathCounts[];
}

/**
 * Which lists are counted, each with those before it: a list costs more than all totals. `bots`: bots alone. `named`: also the addresses that a rule
 * can name. `all`: for evidence also the busiest of the other addresses, those with most failures, and paths.
 */
export const countedLists = ['none', 'bots', 'named', 'all'] as const;
export type CountedLists = (typeof countedLists)[number];

/** Requests of one claimed bot with one verdict, or of one operator's undeclared agents. Late verdicts are used. */
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
  /** Of a request that failed, if one did. */
  readonly samplePath: string;
}

/** Requests of one address. */
export interface ClientCounts {
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
  /** Whether any of its requests has the class of people. */
  readonly isPerson: boolean;
  /** The bot that it claims and the verdict, '' where it claims none. A disproved claim comes before others. */
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
  /** More than one, which may be a mistyped URL. */
  readonly hasProbes: boolean;
  /** Most of its requests belong to a scan. Behind an address that only has probes there may be other visitors. */
  readonly isScanning: boolean;
  /** It comes as a person, and half of its requests or more are refused or not found. */
  readonly isFailing: boolean;
}

/** Addresses of the same kinds with the same claim, added up. Beyond some claims, those of all others have an empty name. */
export interface AddressCounts
  extends AddressKinds,
    Pick<ClientCounts, 'requests' | 'pages' | 'notFound' | 'rejected' | 'status5xx' | 'probes'>,
    Pick<ClientCounts, 'isPerson' | 'botName' | 'verification'> {
  readonly addresses: number;
}

/** Names of bots of a website that are listed in a span, and remembered. Verifiable crawlers are far fewer, and come first. */
export const MAX_BOTS = 2_000;

export const MAX_DISTINCT_PATHS = 200;

export interface PathCounts {
  readonly path: string;
  readonly status: number;
  readonly requests: number;
}

/** A span without requests. @param start milliseconds since the epoch */
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
