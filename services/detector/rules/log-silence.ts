import { DAY_MS, MINUTE_MS } from '../../../shared/durations.js';
import { round, span } from './figures.js';
import { AT_ONCE, type Rule } from './rule.js';

/** Senders upload every minute or every five minutes. */
const LEAST_SILENCE_MS = 20 * MINUTE_MS;
/** Missing requests: with this many expected, none is no chance, even if they come in clusters. */
const LEAST_EXPECTED = 25;
/**
 * Factor of the longest usual silence here: senders that deliver every hour are silent for an hour each time.
 */
const TIMES_USUAL = 1.5;
/**
 * Factor of the longest silence in a website's first week: a shop that closes at night may also close on
 * Sundays.
 */
const TIMES_LONGEST = 3;
const WEEK_MS = 7 * DAY_MS;

/**
 * No log for longer than this website's usual silences: the delivery of logs has stopped, or the website is
 * down.
 */
export const logSilence: Rule = {
  type: 'log_silence',
  persistence: AT_ONCE,
  inhibitedBy: [],
  find({ end }, { silence, maturity, firstLogAt }) {
    const { lengthMs, lastLogAt, expected, usualMs, longestMs } = silence;
    if (maturity === 'building' || lengthMs < LEAST_SILENCE_MS || expected < LEAST_EXPECTED) return [];
    const [times, longestUsualMs] =
      end - firstLogAt < WEEK_MS ? [TIMES_LONGEST, longestMs] : [TIMES_USUAL, usualMs];
    if (lengthMs < times * longestUsualMs) return [];
    return [
      {
        subject: '',
        severity: 'critical',
        since: lastLogAt,
        message: `No logs for ${span(lengthMs)}; usual are ${round(expected)} requests in that time.`,
        details: {
          silent_minutes: lengthMs / MINUTE_MS,
          last_log_at: new Date(lastLogAt).toISOString(),
          current_value: 0,
          baseline_value: round(expected),
          longest_usual_silence_minutes: longestUsualMs / MINUTE_MS,
        },
      },
    ];
  },
};
