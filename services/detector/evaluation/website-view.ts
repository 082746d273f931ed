import { INTERVAL_MINUTES } from '../../../shared/detection/health-metrics.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { judge, maturityOf } from '../baselines/baseline.js';
import { busiestHourOf } from '../baselines/expectation.js';
import { addRemainders } from '../counts/remainder.js';
import { longestAbsence, usualAbsence } from '../memory/absences.js';
import { type CrawlerMemory, crawlerMemory, shares, usualOfCrawler, usualRate } from '../memory/memory.js';
import type { RuleMemoryView, Stretch, WebsiteView, WindowView } from '../rules/rule.js';
import type { Circumstances } from './circumstances.js';
import { latelyOf } from './lately.js';
import type { WebsiteState } from './website-state.js';

/** The data about a website that rules see in addition to the window. */
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
      longestMs: longestAbsence(silence.lengths),
    },
    stretches: stretchesOf(state, window),
    noveltySince: (start) =>
      Math.max(0, ...state.recent.map((interval) => (interval.start >= start ? interval.novelty : 0))),
    busiestHour: busiestHourOf(baselines.traffic),
    level: { requests: baselines.traffic.profile.level, people: baselines.people.profile.level },
    lately: latelyOf(state.lately, window.end),
    memory: memoryView(state, window.end, suppressed),
    networkOf: ({ ip, asn }) => sharedNetworkOf(ip, asn, window.end),
  };
}

/**
 * Whether a bot was first seen within the last day, on a website that is at least a day older than the bot.
 */
export function isNewBot({ memory, firstLogAt }: WebsiteState, name: string, now: number): boolean {
  const known = memory.bots.get(name);
  return known !== undefined && now - known.firstSeen <= DAY_MS && known.firstSeen - firstLogAt >= DAY_MS;
}

function stretchesOf(state: WebsiteState, { start, end, remainder, judged, isDelivered }: WindowView) {
  const stretches: Stretch[] = [
    { start, remainder, traffic: judged.traffic, people: judged.people, isDelivered },
  ];
  for (const interval of state.recent.toReversed()) {
    if (interval.start >= start || interval.start < end - HOUR_MS) continue;
    const shorter = stretches.at(-1)!;
    const longer = (metric: 'traffic' | 'people', more: number) => {
      const value = shorter[metric].value + more;
      return judge(state.baselines[metric], { start: interval.start, end, value, samples: value });
    };
    stretches.push({
      start: interval.start,
      remainder: addRemainders([shorter.remainder, interval.remainder]),
      traffic: longer('traffic', interval.requests),
      people: longer('people', interval.people),
      isDelivered: shorter.isDelivered && interval.isDelivered,
    });
  }
  return stretches;
}

function memoryView(
  { memory, firstLogAt }: WebsiteState,
  now: number,
  suppressed: ReadonlySet<string>,
): RuleMemoryView {
  return {
    bot: (name) => memory.bots.get(name),
    usualOf: (family, crawler) => usualOfCrawler(memory, family, crawler),
    *crawlers() {
      for (const family of memory.crawlers.keys()) {
        const crawler = crawlerMemory(memory, family)!;
        if (!isSuppressed(family, crawler, suppressed)) yield [family, crawler] as const;
      }
    },
    usualRate: (kind, name) => usualRate(memory, kind, name, firstLogAt, now),
    shares: { requests: shares(memory.website), people: shares(memory.people) },
  };
}

function isSuppressed(family: string, { names }: CrawlerMemory, suppressed: ReadonlySet<string>): boolean {
  return suppressed.has(family.toLowerCase()) || names.every((name) => suppressed.has(name.toLowerCase()));
}
