import type { AlertType, Severity } from '../../../shared/alerts/alert.js';
import type { HealthMetric, Maturity } from '../../../shared/detection/health-metrics.js';
import type { MinuteSignal } from '../../../shared/detection/signal.js';
import type { Judgement } from '../baselines/judgement.js';

/** What happened on a website in one window of a rule's family (its frequency: a multiple of five minutes). */
export interface WindowView {
  /** Milliseconds since the epoch; `end` is not in it. */
  readonly start: number;
  readonly end: number;
  /** Everything of the window, folded into one; `minute` is `start`. */
  readonly counts: MinuteSignal;
  /** The window held against what is expected of it. */
  readonly judged: Readonly<Record<HealthMetric, Judgement>>;
  /** Whether logs were delivered through to the window's end. Where not, nothing is a drop. */
  readonly isDelivered: boolean;
}

export interface WebsiteView {
  readonly websiteId: string;
  readonly now: number;
  /** The newest last; as many as any rule's `of` wants, or fewer where the website is young. */
  readonly windows: readonly WindowView[];
  readonly maturity: Maturity;
  /** When the website's first log came, and its last; milliseconds since the epoch. */
  readonly firstLogAt: number;
  readonly lastLogAt: number;
  readonly memory: RuleMemoryView;
}

/** What is remembered of a website beyond its windows (services/detector/memory.ts). */
export interface RuleMemoryView {
  /** When a bot of the name was first seen, before this window or in it; undefined: it is not remembered. */
  firstSeenOfBot(name: string): number | undefined;
  /** Search-crawler family: its last fetch (verified or pending), its share of errors and refusals as usual, and how long it usually stays away. */
  crawler(family: string): CrawlerMemory | undefined;
  crawlers(): Iterable<readonly [family: string, memory: CrawlerMemory]>;
}

export interface CrawlerMemory {
  readonly lastSeen: number;
  /** Requests in all that the memory rests on. */
  readonly requests: number;
  /** Gaps between intervals with fetches, in milliseconds; quantiles of the last weeks. */
  readonly gapP50: number;
  readonly gapP99: number;
  readonly gaps: number;
  /** Usual shares of its requests, 0 to 1. */
  readonly errorShare: number;
  readonly rejectedShare: number;
}

/** One thing that a rule found in the newest window. */
export interface Finding {
  /** '' for the whole website. */
  readonly subject: string;
  readonly severity: Severity;
  /** One sentence for a person, with the figures. */
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** One file each, one line in list.ts. */
export interface Rule {
  readonly type: AlertType;
  /** Fires where it finds the same subject in `least` of the last `of` windows, the newest among them. */
  readonly persistence: { readonly least: number; readonly of: number };
  /** Types whose incident is the cause of this one: while one is active on the website, this rule is silent. */
  readonly inhibitedBy: readonly AlertType[];
  /** What the newest window shows, by itself. Pure. */
  find(window: WindowView, website: WebsiteView): readonly Finding[];
}
