import type { Judgement } from '../../../services/detector/baselines/judgement.js';
import { remainderOf } from '../../../services/detector/counts/remainder.js';
import type { SpanCounts } from '../../../services/detector/counts/span-counts.js';
import { type BaselineMetric, baselineMetrics } from '../../../services/detector/gauges/judge-interval.js';
import type { CrawlerMemory, UsualOfCrawler } from '../../../services/detector/memory/memory.js';
import type {
  Finding,
  Rule,
  RuleMemoryView,
  Stretch,
  WebsiteView,
  WindowView,
} from '../../../services/detector/rules/rule.js';
import { DAY_MS, MINUTE_MS } from '../../../shared/durations.js';
import { countsOf } from './counts.js';

/** Views for tests of rules: a quarter of an hour on a Tuesday, of a website that is a month old. */

export const END = Date.UTC(2026, 9, 6, 12);

export function judgementOf(given: Partial<Judgement>): Judgement {
  const { value = 0, mean = 0, std = 1 } = given;
  return { value, mean, std, z: (value - mean) / std, status: 'normal', ...given };
}

export function windowOf(
  counts: Partial<SpanCounts>,
  given: Partial<Omit<WindowView, 'judged'>> & {
    judged?: Partial<Record<BaselineMetric, Partial<Judgement>>>;
    minutes?: number;
  } = {},
): WindowView {
  const { judged = {}, minutes = 15, ...rest } = given;
  const start = END - minutes * MINUTE_MS;
  const folded = countsOf({ start, ...counts });
  return {
    start,
    end: END,
    counts: folded,
    remainder: remainderOf(folded, minutes, () => false),
    isDelivered: true,
    ...rest,
    judged: Object.fromEntries(
      baselineMetrics.map((metric) => [metric, judgementOf(judged[metric] ?? {})]),
    ) as WindowView['judged'],
  };
}

export function memoryOf(
  given: Partial<Omit<RuleMemoryView, 'crawlers'>> & {
    crawlers?: [string, CrawlerMemory][];
  } = {},
): RuleMemoryView {
  const { crawlers = [], ...rest } = given;
  return {
    bot: () => undefined,
    usualOf: () => undefined,
    crawlers: () => crawlers,
    usualRate: () => 0,
    shares: {
      requests: { status5xx: 0.002, errors: 0.02, notFound: 0.01 },
      people: { status5xx: 0.002, errors: 0.02, notFound: 0.01 },
    },
    ...rest,
  };
}

export function crawlerOf(given: Partial<CrawlerMemory> = {}): CrawlerMemory {
  return {
    names: ['Googlebot'],
    isSearch: true,
    firstSeen: END - 30 * DAY_MS,
    lastSeen: END,
    awayMs: 0,
    usualAwayMs: 40 * MINUTE_MS,
    visitedIntervals: 4_000,
    ...given,
  };
}

export function usualOf(given: Partial<UsualOfCrawler> = {}): UsualOfCrawler {
  return {
    firstSeen: END - 30 * DAY_MS,
    requests: 10_000,
    errorShare: 0.02,
    rejectedShare: 0.005,
    ...given,
  };
}

/** The findings of a rule in a window, with their evidence from the same counts. */
export function foundIn(rule: Rule, window: WindowView, website: WebsiteView = websiteOf(window)): Finding[] {
  return rule.find(window, website).map(({ evidence, ...finding }) => {
    const shown = evidence?.show(window.counts);
    return {
      ...finding,
      message: finding.message + (shown?.sentence ?? ''),
      details: { ...finding.details, ...shown?.details },
    };
  });
}

/** The window itself, or a longer stretch that ends with it. */
export function stretchOf(window: WindowView, given: Partial<Stretch> = {}): Stretch {
  const { start, remainder, judged, isDelivered } = window;
  return { start, remainder, traffic: judged.traffic, people: judged.people, isDelivered, ...given };
}

/** @param window the only stretch by default */
export function websiteOf(window: WindowView, given: Partial<WebsiteView> = {}): WebsiteView {
  return {
    websiteId: 'w',
    maturity: 'mature',
    firstLogAt: END - 30 * DAY_MS,
    silence: { lengthMs: 0, lastLogAt: END, expected: 0, usualMs: 0, longestMs: 0 },
    stretches: [stretchOf(window)],
    noveltySince: () => 0,
    busiestHour: 4_000,
    lately: { requests: 1, people: 1 },
    level: { requests: 1, people: 1 },
    memory: memoryOf(),
    networkOf: () => null,
    ...given,
  };
}
