import type { ClickHouse } from '../../../shared/clickhouse/client.js';

/**
 * The store of a run: no write begins once the run is over or its website is gone, whatever the job looks at. One that is under way ends as it
 * would have.
 * @param check throws where nothing more may be written.
 */
export function guardWrites(clickhouse: ClickHouse, check: () => void): ClickHouse {
  return {
    ...clickhouse,
    async insert(options) {
      check();
      await clickhouse.insert(options);
    },
    async command(...statement) {
      check();
      await clickhouse.command(...statement);
    },
  };
}
