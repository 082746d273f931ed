import { HOUR_MS } from '../../../../shared/durations.js';
import { defineCheck, fail, pass, unknown, warn } from '../facts/check.js';

/** As in `health` and `setup`. */
const FLOWING_HOURS = 24;
const FAIL_HOURS = 72;

export const logsFlowing = defineCheck({
  id: 'logs_flowing',
  title: 'Logs arrive',
  category: 'logs',
  weight: 7,
  needs: ['flow', 'now'],
  judge({ flow: { lastReceivedAt }, now }) {
    if (lastReceivedAt === null)
      return unknown('No request was ever received. Set up the shipper of your logs (/setup).', {
        last_received_at: null,
      });
    const hours = Math.floor((now - lastReceivedAt) / HOUR_MS);
    const seen = { last_received_at: new Date(lastReceivedAt).toISOString() };
    if (hours < FLOWING_HOURS) return pass('A request was received within 24 hours.', seen);
    const note = `The last request was received ${hours} hours ago. Later requests are missing, and most checks depend on the logs.`;
    return hours >= FAIL_HOURS ? fail(note, seen) : warn(note, seen);
  },
});
