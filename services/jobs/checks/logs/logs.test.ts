import { DAY_MS, HOUR_MS } from '../../../../shared/durations.js';
import { checkCases } from '../../../../test/harness/jobs/check-cases.js';
import { logs, NOW } from '../../../../test/harness/jobs/check-facts.js';
import { logsFlowing } from './logs-flowing.js';
import { timesLogged } from './times-logged.js';

const last = (ago: number | null) => ({ flow: { lastReceivedAt: ago === null ? null : NOW - ago } });

checkCases([
  [
    logsFlowing,
    [
      ['pass', 'an hour ago', {}],
      ['warn', 'thirty hours ago', last(30 * HOUR_MS)],
      ['fail', 'five days ago', last(5 * DAY_MS)],
      ['unknown', 'never', last(null), { last_received_at: null }],
    ],
  ],
  [
    timesLogged,
    [
      ['pass', 'they do', {}, { p95_ms: 400 }],
      ['warn', 'they do not', { logs: logs({ p95Ms: null }) }],
      ['unknown', 'there are none', { logs: logs({ requests: 0, p95Ms: null }) }],
    ],
  ],
]);
