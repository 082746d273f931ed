import { afterDueTimers } from '../../../shared/pacing/after-due-timers.js';
import type { ClickHouse } from '../../../shared/store/client.js';

/**
 * The store of a run. It rejects writes after the run has ended or its website was erased, whether or not the job checks its signal. A write that is under
 * way completes. So a process that hung until another replica owned its websites writes no outdated data.
 * @param check throws if nothing more may be written
 */
export function guardWrites(clickhouse: ClickHouse, check: () => void): ClickHouse {
  return {
    ...clickhouse,
    async insert(options) {
      await afterDueTimers();
      check();
      await clickhouse.insert(options);
    },
    async command(...statement) {
      await afterDueTimers();
      check();
      await clickhouse.command(...statement);
    },
  };
}
