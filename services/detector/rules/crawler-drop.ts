import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { round, span } from './figures.js';
import { AT_ONCE, type Finding, type Rule } from './rule.js';

const LEAST_ABSENCE_MS = HOUR_MS;
/** Against its longest usual absence. */
const TIMES_USUAL = 2;
/** Who comes seldom is not missed. */
const LEAST_REQUESTS = 200;
const GIVEN_UP_AFTER_MS = 14 * 24 * HOUR_MS;

/** A search crawler stays away for twice as long as it ever does here. Only stretches count in which logs were delivered. */
export const crawlerDrop: Rule = {
  type: 'crawler_drop',
  persistence: AT_ONCE,
  inhibitedBy: ['log_silence', 'error_spike_5xx', 'traffic_drop', 'crawler_blocked'],
  find(window, { memory }) {
    if (!window.isDelivered) return [];
    return [...memory.crawlers()].flatMap(([family, crawler]): Finding[] => {
      const { awayMs, usualAwayMs, requests, lastSeen, names } = crawler;
      if (!crawler.isSearch || usualAwayMs === undefined || requests < LEAST_REQUESTS) return [];
      if (awayMs < Math.max(LEAST_ABSENCE_MS, TIMES_USUAL * usualAwayMs) || awayMs > GIVEN_UP_AFTER_MS)
        return [];
      return [
        {
          subject: family,
          severity: 'warning',
          message: `The crawlers of ${family} have been away for ${span(awayMs)}; they usually come back within ${span(usualAwayMs)}.`,
          details: {
            crawler_family: family,
            crawlers: names,
            away_minutes: awayMs / MINUTE_MS,
            longest_usual_minutes: round(usualAwayMs / MINUTE_MS),
            last_seen_at: new Date(lastSeen).toISOString(),
          },
        },
      ];
    });
  },
};
