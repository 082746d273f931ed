import { defineCheck, pass, unknown, warn } from '../facts/check.js';

export const timesLogged = defineCheck({
  id: 'times_logged',
  title: 'Logs contain the duration of requests',
  category: 'logs',
  weight: 1,
  needs: ['logs'],
  judge({ logs: { requests, p95Ms } }) {
    if (requests === 0) return unknown('There are no requests of the last seven days.', { requests });
    if (p95Ms === null)
      return warn('The logs do not contain the duration of requests, so slow pages cannot be found.', {
        requests,
        advisories: ['Add the time to what your source logs (docs/log-format.md).'],
      });
    return pass('The logs contain the duration of requests.', { requests, p95_ms: p95Ms });
  },
});
