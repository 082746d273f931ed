import { foldMinutes } from '../../shared/detection/fold-signals.js';
import { INTERVAL_MINUTES } from '../../shared/detection/health-metrics.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/durations.js';
import { usualAbsence } from './absences.js';
import { judge, maturityOf } from './baselines/baseline.js';
import type { Circumstances } from './circumstances.js';
import { type CrawlerMemory, crawlerMemory, shares, usualRate } from './memory.js';
import { addRemainders } from './rules/remainder.js';
import type { HourView, RuleMemoryView, WebsiteView, WindowView } from './rules/rule.js';
import type { WebsiteState } from './website-state.js';

/** What rules see of a website beside the window. */
export function viewOf(
  state: WebsiteState,
  window: WindowView,
  { suppressed, sharedNetworkOf }: Pick<Circumstances, 'suppressed' | 'sharedNetworkOf'>,
): WebsiteView {
  const { websiteId, firstLogAt, silence, baselines } = state;
  return {
    websiteId,
    firstLogAt,
    maturity: maturityOf(baselines.traffic).status,
    silence: {
      lengthMs: silence.intervals * INTERVAL_MINUTES * MINUTE_MS,
      lastLogAt: state.lastLogAt,
      expected: silence.expected,
      usualMs: usualAbsence(silence.lengths) ?? 0,
    },
    hour: hourOf(state, window),
    memory: memoryView(state, window.end, suppressed),
    countsSince: (start) =>
      state.recent
        .filter((interval) => interval.start >= start && interval.start < window.start)
        .reduce((counts, { shown }) => foldMinutes(counts, shown), window.counts),
    networkOf: ({ ip, asn }) => sharedNetworkOf(ip, asn, window.end),
  };
}

/** Whether a bot was first seen within the last day, on a website that is older. */
export function isNewBot({ memory, firstLogAt }: WebsiteState, name: string, now: number): boolean {
  const known = memory.bots.get(name);
  return known !== undefined && now - known.firstSeen <= DAY_MS && known.firstSeen - firstLogAt >= DAY_MS;
}

function hourOf(state: WebsiteState, window: WindowView): HourView {
  const { start, end, remainder, isDelivered } = window;
  const own = { start, remainder };
  if (end - start >= HOUR_MS)
    return {
      ...own,
      stretches: [own],
      traffic: window.judged.traffic,
      people: window.judged.people,
      isDelivered,
    };
  const first = state.recent[0]?.start ?? start;
  const judged = (metric: 'traffic' | 'people', value: number) =>
    judge(state.baselines[metric], { start: first, end, value, samples: value });
  const requests = state.recent.reduce((sum, interval) => sum + interval.requests, 0);
  const people = state.recent.reduce((sum, interval) => sum + interval.people, 0);
  const stretches = [own];
  for (const interval of state.recent.toReversed()) {
    if (interval.start >= start) continue;
    const longer = addRemainders([stretches.at(-1)!.remainder, interval.remainder]);
    stretches.push({ start: interval.start, remainder: longer });
  }
  return {
    start: first,
    remainder: stretches.at(-1)!.remainder,
    stretches,
    traffic: judged('traffic', requests),
    people: judged('people', people),
    isDelivered: state.recent.every((interval) => interval.isDelivered),
  };
}

function memoryView(
  { memory, firstLogAt }: WebsiteState,
  now: number,
  suppressed: ReadonlySet<string>,
): RuleMemoryView {
  return {
    bot: (name) => memory.bots.get(name),
    crawler: (family) => crawlerMemory(memory, family),
    *crawlers() {
      for (const family of memory.crawlers.keys()) {
        const crawler = crawlerMemory(memory, family)!;
        if (!isSuppressed(family, crawler, suppressed)) yield [family, crawler] as const;
      }
    },
    usualRate: (kind, name) => usualRate(memory, kind, name, firstLogAt, now),
    shares: shares(memory),
  };
}

function isSuppressed(family: string, { names }: CrawlerMemory, suppressed: ReadonlySet<string>): boolean {
  return suppressed.has(family.toLowerCase()) || names.every((name) => suppressed.has(name.toLowerCase()));
}
