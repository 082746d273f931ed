/**
 * What the store says of a website's requests in a span of time: an interval of five minutes, or a window of several. Counts are exact. Lists
 * have everyone whom a rule may name, and of the others those with most requests (read-counts.ts).
 */
export interface SpanCounts {
  /** Its beginning, milliseconds since the epoch. */
  readonly start: number;
  readonly requests: number;
  readonly people: number;
  /** All that is no person's: `requests - people`. */
  readonly bots: number;
  /** Of search crawlers that are not proven impostors. */
  readonly crawlers: number;
  /** Of AI bots that are not proven impostors. */
  readonly aiBots: number;
  readonly spoofed: number;
  readonly undeclared: number;
  readonly status4xx: number;
  /** 404 and 410 */
  readonly notFound: number;
  /** 401, 402, 403 and 429 */
  readonly rejected: number;
  readonly status5xx: number;
  /** Requests whose time is known, and their sum in milliseconds. */
  readonly timed: number;
  readonly timeTakenMs: number;
  /** What bots met: 404 and 410, other 4xx, 5xx. The rest is what people met. */
  readonly botsNotFound: number;
  readonly botsOther4xx: number;
  readonly bots5xx: number;
  /** The minutes with requests, in rising order, by their beginnings; of a window of several intervals: empty. */
  readonly minutes: readonly number[];
  readonly byBot: readonly BotCounts[];
  readonly byClient: readonly ClientCounts[];
  /** Paths of errors of the server and of pages not found, with most requests. */
  readonly failingPaths: readonly PathCounts[];
}

/**
 * Which lists are counted: a list costs more than all totals. `bots`: bots alone. `named`: bots, and the addresses that a rule can name.
 * `all`: also the busiest and the most refused of the other addresses, and failing paths, for evidence.
 */
export const countedLists = ['none', 'bots', 'named', 'all'] as const;
export type CountedLists = (typeof countedLists)[number];

/** Of a claimed bot (or an undeclared agent, by its operator) and whether its claim holds, with late verdicts. */
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

/** Of one address. */
export interface ClientCounts {
  readonly ip: string;
  readonly country: string;
  readonly asn: number;
  readonly asName: string;
  readonly requests: number;
  /** Of file types that are pages. */
  readonly pages: number;
  readonly notFound: number;
  readonly rejected: number;
  readonly status5xx: number;
  /** Requests for what only somebody who looks for holes asks for (shared/detection/probes.ts). */
  readonly probes: number;
  /** Different paths, at most {@link MAX_DISTINCT_PATHS} are told apart. */
  readonly paths: number;
  /** Whether any of its requests is a person's by class, and the bot that it claims, if any: one that is proven wrong before others. */
  readonly isPerson: boolean;
  readonly botName: string;
  readonly verification: string;
  readonly sampleUserAgent: string;
  /** At most three; what it probed before others. */
  readonly samplePaths: readonly string[];
}

export const MAX_DISTINCT_PATHS = 200;

export interface PathCounts {
  readonly path: string;
  readonly status: number;
  readonly requests: number;
}

/** Nothing was requested. @param start milliseconds since the epoch */
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
    byBot: [],
    byClient: [],
    failingPaths: [],
  };
}
