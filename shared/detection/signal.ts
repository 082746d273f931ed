/** What the enricher tells the detector of each stored range: a record of `requests.signals` for each website in it. */

/**
 * Lists of one minute, or of five, are cut to so many entries: a minute costs a bounded number of bytes whoever sends it. Which ones stay: `keepBots`,
 * `keepClients` and `keepPaths` (fold-signals.ts).
 */
export const MAX_BOTS = 40;
export const MAX_CLIENTS = 30;
export const MAX_PATHS = 10;
/**
 * Of a live minute, and of an interval that is still filled, more are told and kept: a range holds less than a second of a busy website, so
 * whoever comes steadily is light in each of them.
 */
export const MAX_OPEN_BOTS = 120;
export const MAX_OPEN_CLIENTS = 120;
/** Longer texts of requests (paths, user agents, names) are cut, in UTF-16 code units. */
export const MAX_TEXT = 300;

export interface Signal {
  /** Of the range: what was told under it before is told again and counts once. */
  readonly token: string;
  readonly websiteId: string;
  /** When the range was stored, milliseconds since the epoch. */
  readonly storedAt: number;
  readonly minutes: readonly MinuteSignal[];
}

/**
 * Counts of requests, unless it says otherwise, whose timestamp is in one minute. The three lists of requests that were stored more than two hours
 * late are of the minutes of an interval together: the newest of them has the lists, the others have none. Of these, `byClient` has
 * only addresses that probe, take pages fast or pass for a crawler.
 */
export interface MinuteSignal {
  /** Its beginning, milliseconds since the epoch. */
  readonly minute: number;
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
  /** 401, 403 and 429 */
  readonly rejected: number;
  readonly status5xx: number;
  /** Requests whose time is known, and their sum in milliseconds. */
  readonly timed: number;
  readonly timeTakenMs: number;
  readonly bytesSent: number;
  /** What bots met: 404 and 410, other 4xx, 5xx. The rest is what people met. */
  readonly botsNotFound: number;
  readonly botsOther4xx: number;
  readonly bots5xx: number;
  readonly byBot: readonly BotSignal[];
  readonly byClient: readonly ClientSignal[];
  /** Paths of errors of the server and of pages not found, with most requests. */
  readonly failingPaths: readonly PathSignal[];
}

/** Of a claimed bot (or an undeclared agent, by its operator) and whether its claim held when the row was stored. */
export interface BotSignal {
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

/** Of one address: the ones with most requests, and whoever probes. */
export interface ClientSignal {
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
  /** Whether any of its requests is a person's by class, and the bot that it claims, if any. */
  readonly isPerson: boolean;
  readonly botName: string;
  readonly verification: string;
  readonly sampleUserAgent: string;
  /** At most three. */
  readonly samplePaths: readonly string[];
}

export const MAX_DISTINCT_PATHS = 200;

export interface PathSignal {
  readonly path: string;
  readonly status: number;
  readonly requests: number;
}
