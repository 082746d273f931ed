import { afterDueTimers } from '../../../shared/pacing/after-due-timers.js';
import type { ClickHouse } from '../../../shared/store/client.js';

/**
 * The store of a run: no write begins once the run is over or its website is gone, whatever the job looks at. One that is under way ends as it
 * would have. A process that hung until its websites were another's writes nothing more of what it had read before.
 * @param check throws where nothing more may be written.
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
