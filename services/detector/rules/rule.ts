import type { AlertType, Severity } from '../../../shared/alerts/alert.js';
import type { SharedNetwork } from '../../../shared/crawlers/shared-networks.js';
import type { Maturity } from '../../../shared/detection/health-metrics.js';
import type { Judgement } from '../baselines/judgement.js';
import type { Failures, Remainder } from '../counts/remainder.js';
import type { ClientCounts, SpanCounts } from '../counts/span-counts.js';
import type { BaselineMetric } from '../gauges/judge-interval.js';
import type { BotSeen, CrawlerMemory, UsualOfCrawler } from '../memory/memory.js';

/** What happened on a website in one window of a rule's family (its frequency: a multiple of five minutes). */
export interface WindowView {
  /** Milliseconds since the epoch; `end` is not in it. */
  readonly start: number;
  readonly end: number;
  /** Of the whole window. Suppressed bots are not in its lists. */
  readonly counts: SpanCounts;
  /** What is left of it without those that other rules name. */
  readonly remainder: Remainder;
  /** The window held against what is expected of it. */
  readonly judged: Readonly<Record<BaselineMetric, Judgement>>;
  /** Whether logs were delivered through to the window's end. Where not, nothing is a drop. */
  readonly isDelivered: boolean;
}

export interface WebsiteView {
  readonly websiteId: string;
  readonly maturity: Maturity;
  /** When the website's first log came; milliseconds since the epoch. */
  readonly firstLogAt: number;
  readonly silence: SilenceView;
  /** Each longer than the one before; the window alone where it is an hour or more. */
  readonly stretches: readonly Stretch[];
  /** How new the latency was at most since then, up to an hour back: 0 to below 1, news from `NOVEL` on (gauges/gauge.ts). */
  noveltySince(start: number): number;
  /** Requests that its busiest usual hour of the week brings. */
  readonly busiestHour: number;
  /** What the hours before the last one brought, over what was expected of them: 1 on a usual day. */
  readonly lately: { readonly requests: number; readonly people: number };
  /** What the last day brought over what the weeks before bring; it is in all that is expected. */
  readonly level: { readonly requests: number; readonly people: number };
  readonly memory: RuleMemoryView;
  /** Whom else one meets who blocks the address; null: nobody who is known. */
  networkOf(client: Pick<ClientCounts, 'ip' | 'asn'>): SharedNetwork | null;
}

/** The stretch without a single request that lasts to the window's end. */
export interface SilenceView {
  readonly lengthMs: number;
  /** When the last log came, milliseconds since the epoch, to the minute. */
  readonly lastLogAt: number;
  /** Requests that were to be expected in it. */
  readonly expected: number;
  /** How long silences of this website get; 0 where it has none. */
  readonly usualMs: number;
  /** The longest one of the last weeks; 0 where there was none. */
  readonly longestMs: number;
}

/** What lasts up to the window's end: the window itself, and in steps of an interval what goes back to an hour before it. */
export interface Stretch {
  readonly start: number;
  readonly remainder: Remainder;
  /** Its requests held against what is expected, and those of people. */
  readonly traffic: Judgement;
  readonly people: Judgement;
  readonly isDelivered: boolean;
}

/** What is remembered of a website beyond its windows (services/detector/memory/memory.ts). */
export interface RuleMemoryView {
  /** Undefined: it is not remembered. */
  bot(name: string): BotSeen | undefined;
  /** What a crawler usually meets, by its verified requests. Undefined: it never came. */
  usualOf(family: string, crawler: string): UsualOfCrawler | undefined;
  /** Search crawlers by family, without those that are suppressed. */
  crawlers(): Iterable<readonly [family: string, memory: CrawlerMemory]>;
  /** Usual requests in five minutes by impostors of a crawler, or by undeclared agents of an operator. */
  usualRate(kind: 'spoofed' | 'undeclared', name: string): number;
  /** Usual shares of failures, 0 to 1: in all requests, and in those of people. */
  readonly shares: { readonly requests: Failures; readonly people: Failures };
}

/** One thing that a rule found in the newest window. */
export interface Finding {
  /** '' for the whole website. */
  readonly subject: string;
  readonly severity: Severity;
  /** One sentence for a person, with the figures. */
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** A wider subject, of which it explains findings, too: the family of a crawler. */
  readonly partOf?: string;
  /** Too strong to be chance: fires without waiting for a second window. */
  readonly isSure?: boolean;
  /** Evidence that needs the counts of another span, or more lists. It is counted only where the finding becomes an alert. */
  readonly evidence?: Evidence;
}

/** Who and what is behind a finding, from `since` to the window's end. */
export interface Evidence {
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** Pure. `sentence` is added to the message, `details` to the details. */
  show(counts: SpanCounts): {
    readonly sentence?: string;
    readonly details: Readonly<Record<string, unknown>>;
  };
}

/** One file each, one line in all-rules.ts. */
export interface Rule {
  readonly type: AlertType;
  /** Fires where it finds the same subject in `least` of the last `of` windows, the newest among them. */
  readonly persistence: { readonly least: number; readonly of: number };
  /** Types that are the cause of this one: while one of them goes on, this rule is silent (findings/found.ts). */
  readonly inhibitedBy: readonly AlertType[];
  /** What the newest window shows, by itself. Pure. */
  find(window: WindowView, website: WebsiteView): readonly Finding[];
  /** Joins findings that are left when causes have silenced their effects, so that many have one alert. Pure. Absent: each has its own. */
  join?(findings: readonly Finding[]): readonly Finding[];
}

/** For rules that fire on one window. */
export const AT_ONCE = { least: 1, of: 1 } as const;
/** For rules of figures that swing: one window is too little. */
export const TWO_OF_THREE = { least: 2, of: 3 } as const;
