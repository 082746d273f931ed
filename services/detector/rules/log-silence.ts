import { MINUTE_MS } from '../../../shared/durations.js';
import { round, span } from './figures.js';
import { AT_ONCE, type Rule } from './rule.js';

/** Senders upload by the minute or by the five minutes. */
const LEAST_SILENCE_MS = 20 * MINUTE_MS;
/** Requests that are missing: with so many expected, none is no chance however clumpily they come. */
const LEAST_EXPECTED = 25;
/** Against the longest silence that is usual here: senders that deliver by the hour have one each hour. */
const TIMES_USUAL = 1.5;

/** No log at all for longer than this website is ever silent: the delivery of logs has stopped, or the website is down. */
export const logSilence: Rule = {
  type: 'log_silence',
  persistence: AT_ONCE,
  inhibitedBy: [],
  find(_window, { silence, maturity }) {
    const { lengthMs, lastLogAt, expected, usualMs } = silence;
    if (maturity === 'building' || lengthMs < LEAST_SILENCE_MS || expected < LEAST_EXPECTED) return [];
    if (lengthMs < TIMES_USUAL * usualMs) return [];
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
          longest_usual_silence_minutes: usualMs / MINUTE_MS,
        },
      },
    ];
  },
};
