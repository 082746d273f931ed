import type { AlertType, Severity } from '../../../shared/alerts/alert.js';
import type { SharedNetwork } from '../../../shared/crawlers/shared-networks.js';
import type { Maturity } from '../../../shared/detection/health-metrics.js';
import type { Judgement } from '../baselines/judgement.js';
import type { Failures, Remainder } from '../counts/remainder.js';
import type { ClientCounts, CountedLists, RequestTimes, SpanCounts } from '../counts/span-counts.js';
import type { BaselineMetric } from '../gauges/judge-interval.js';
import type { BotSeen, CrawlerMemory, UsualOfCrawler } from '../memory/memory.js';

/**
 * The events on a website in one window of a rule's family. The window's length is the family's frequency, a
 * multiple of five minutes.
 */
export interface WindowView {
  /** Milliseconds since the epoch; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Counts of the whole window. Suppressed bots are not in its lists. */
  readonly counts: SpanCounts;
  /** The window's requests without the clients that other rules report. */
  readonly remainder: Remainder;
  /** The window compared with its expected values. */
  readonly judged: Readonly<Record<BaselineMetric, Judgement>>;
  /** Whether logs were delivered up to the window's end. If not, nothing is a drop. */
  readonly isDelivered: boolean;
}

export interface WebsiteView {
  readonly websiteId: string;
  readonly maturity: Maturity;
  /** When the website's first log arrived; milliseconds since the epoch. */
  readonly firstLogAt: number;
  readonly silence: SilenceView;
  /** Each stretch is longer than the one before. A window of an hour or more is the only one. */
  readonly stretches: readonly Stretch[];
  /**
   * The greatest novelty of the latency since `start`, at most an hour back: 0 to below 1; news from `NOVEL`
   * on (gauges/gauge.ts).
   */
  noveltySince(start: number): number;
  /** Requests in the busiest usual hour of the week. */
  readonly busiestHour: number;
  /** Actual over expected requests in the hours before the last one: 1 on a usual day. */
  readonly lately: { readonly requests: number; readonly people: number };
  /** Requests of the last day over those of the weeks before. It is part of all expected values. */
  readonly level: { readonly requests: number; readonly people: number };
  readonly memory: RuleMemoryView;
  /** The shared network of the address, whose other clients a block would affect; null: none is known. */
  networkOf(client: Pick<ClientCounts, 'ip' | 'asn'>): SharedNetwork | null;
}

/** The time without any request up to the window's end. */
export interface SilenceView {
  readonly lengthMs: number;
  /** When the last log was made, milliseconds since the epoch, to the minute. */
  readonly lastLogAt: number;
  /** Requests that were expected during the silence. */
  readonly expected: number;
  /** The longest usual silence of this website; 0: none is known. */
  readonly usualMs: number;
  /** The longest silence of the last weeks; 0: there was none. */
  readonly longestMs: number;
}

/**
 * A time span up to the window's end: the window itself, or a longer span in steps of an interval, up to an
 * hour.
 */
export interface Stretch {
  readonly start: number;
  readonly remainder: Remainder;
  /** Its requests compared with the expected ones, for all requests and for people. */
  readonly traffic: Judgement;
  readonly people: Judgement;
  readonly isDelivered: boolean;
}

/** The memory of a website beyond its windows (services/detector/memory/memory.ts). */
export interface RuleMemoryView {
  /** Undefined: the bot is not remembered. */
  bot(name: string): BotSeen | undefined;
  /** Usual results of a crawler's verified requests. Undefined: it never came. */
  usualOf(family: string, crawler: string): UsualOfCrawler | undefined;
  /** Search crawlers by family, without suppressed ones. */
  crawlers(): Iterable<readonly [family: string, memory: CrawlerMemory]>;
  /** Usual requests in five minutes, by impostors of a crawler or by undeclared agents of an operator. */
  usualRate(kind: 'spoofed' | 'undeclared', name: string): number;
  /** Usual shares of failures, 0 to 1, in all requests and in those of people. */
  readonly shares: { readonly requests: Failures; readonly people: Failures };
}

/** One finding of a rule in the newest window. */
export interface Finding {
  /** '' for the whole website. */
  readonly subject: string;
  readonly severity: Severity;
  /** One sentence for a person, with the numbers. */
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** A wider subject whose findings it also explains: the family of a crawler. */
  readonly partOf?: string;
  /** Too strong to be chance: it fires without waiting for a second window. */
  readonly isSure?: boolean;
  /** Its beginning is later than this, milliseconds since the epoch. Absent: the window's start. */
  readonly since?: number;
  /** When its requests came. Absent: it is not about single requests. */
  readonly times?: Times;
  /** Evidence that needs the counts of another span, or more lists. It is counted only for alerts. */
  readonly evidence?: Evidence;
}

/** The first and the last request of a finding, from the counts of any span. */
export interface Times {
  /** The lists that it needs. */
  readonly lists: CountedLists;
  /** Pure. */
  in(counts: SpanCounts): RequestTimes;
}

/** The clients and requests of a finding, from `since` to the window's end. */
export interface Evidence {
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** Pure. `sentence` is appended to the message, `details` are merged into the details. */
  show(counts: SpanCounts): {
    readonly sentence?: string;
    readonly details: Readonly<Record<string, unknown>>;
  };
}

/** Each rule has its own file, and a line in all-rules.ts. */
export interface Rule {
  readonly type: AlertType;
  /** Fires if it finds the same subject in `least` of the last `of` windows, including the newest. */
  readonly persistence: { readonly least: number; readonly of: number };
  /** Types that cause this one. While one of them lasts, this rule is inhibited (findings/found.ts). */
  readonly inhibitedBy: readonly AlertType[];
  /** Findings of the newest window alone. Pure. */
  find(window: WindowView, website: WebsiteView): readonly Finding[];
  /**
   * Joins the findings that no cause inhibits, so that many have one alert. Pure. Absent: each has its own.
   */
  join?(findings: readonly Finding[]): readonly Finding[];
}

/** For rules that fire on one window. */
export const AT_ONCE = { least: 1, of: 1 } as const;
/** For rules about fluctuating numbers: one window is not enough. */
export const TWO_OF_THREE = { least: 2, of: 3 } as const;
