import { DAY_MS, MINUTE_MS } from '../../../shared/durations.js';
import { round, span } from './figures.js';
import { AT_ONCE, type Rule } from './rule.js';

/** Senders upload by the minute or by the five minutes. */
const LEAST_SILENCE_MS = 20 * MINUTE_MS;
/** Requests that are missing: with so many expected, none is no chance however clumpily they come. */
const LEAST_EXPECTED = 25;
/** Against the longest silence that is usual here: senders that deliver by the hour have one each hour. */
const TIMES_USUAL = 1.5;
/** Against the longest silence of a website's first week: a shop that closes at night may close on Sundays, too. */
const TIMES_LONGEST = 3;
const WEEK_MS = 7 * DAY_MS;

/** No log at all for longer than this website is ever silent: the delivery of logs has stopped, or the website is down. */
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
