import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import type { CrawlerMemory } from '../memory/memory.js';
import { round, span } from './figures.js';
import { AT_ONCE, type Finding, type Rule } from './rule.js';
import { apartOrTogether, firstOf, listed } from './together.js';

const LEAST_ABSENCE_MS = HOUR_MS;
/** Factor of the longest usual absence. */
const TIMES_USUAL = 2;
/** Fewer intervals are too few absences to predict the next one. */
const LEAST_VISITED_INTERVALS = 100;
const GIVEN_UP_AFTER_MS = 14 * 24 * HOUR_MS;

/** A search crawler stays away for twice its longest usual absence. Only times with delivered logs count. */
export const crawlerDrop: Rule = {
  type: 'crawler_drop',
  persistence: AT_ONCE,
  inhibitedBy: ['log_silence', 'error_spike_5xx', 'traffic_drop', 'crawler_blocked'],
  find(window, { memory }) {
    if (!window.isDelivered) return [];
    return [...memory.crawlers()].flatMap(([family, crawler]) => missedOf(family, crawler) ?? []).map(oneOf);
  },
  // Runs after the findings that `crawler_blocked` explains were removed.
  join: (findings) => apartOrTogether(findings, (one) => one, severalOf),
};

interface Missed {
  readonly family: string;
  readonly crawler: CrawlerMemory;
  readonly usualAwayMs: number;
}

function missedOf(family: string, crawler: CrawlerMemory): Missed | null {
  const { isSearch, awayMs, usualAwayMs, visitedIntervals } = crawler;
  if (!isSearch || usualAwayMs === undefined || visitedIntervals < LEAST_VISITED_INTERVALS) return null;
  const isAway = awayMs >= Math.max(LEAST_ABSENCE_MS, TIMES_USUAL * usualAwayMs);
  return isAway && awayMs <= GIVEN_UP_AFTER_MS ? { family, crawler, usualAwayMs } : null;
}

function oneOf({ family, crawler: { names, awayMs, lastSeen }, usualAwayMs }: Missed): Finding {
  return {
    subject: family,
    severity: 'warning',
    since: lastSeen,
    message: `The crawlers of ${family} have been away for ${span(awayMs)}; they usually come back within ${span(usualAwayMs)}.`,
    details: {
      crawler_family: family,
      crawlers: listed(names),
      away_minutes: awayMs / MINUTE_MS,
      longest_usual_minutes: round(usualAwayMs / MINUTE_MS),
      last_seen_at: new Date(lastSeen).toISOString(),
    },
  };
}

/** @param missed findings of one family each */
function severalOf(missed: readonly Finding[]): Omit<Finding, 'subject'> {
  const families = missed.map(({ subject }) => subject);
  const leastAwayMs = Math.min(...missed.map(({ details }) => Number(details.away_minutes))) * MINUTE_MS;
  return {
    severity: 'warning',
    message: `The crawlers of ${missed.length} operators have been away for ${span(leastAwayMs)} or more, twice as long as usual: ${firstOf(families)}.`,
    details: {
      crawler_families: listed(families),
      crawlers: listed(missed.flatMap(({ details }) => details.crawlers as readonly string[])),
      away_minutes: leastAwayMs / MINUTE_MS,
      last_seen_at: missed
        .map(({ details }) => String(details.last_seen_at))
        .sort()
        .at(-1),
    },
  };
}
