import { Counter, type Registry } from 'prom-client';
import type { ClickHouseReader } from '../../../shared/store/client.js';
import { alsoReport } from '../limits/also-report.js';

/** A reader that counts its statements and the rows that the engine reads for them, by statement name. */
export function meterReads(reader: ClickHouseReader, registry: Registry): ClickHouseReader {
  const statements = new Counter({
    name: 'loglane_read_statements_total',
    help: 'Statements that ClickHouse answered for reads',
    labelNames: ['statement'],
    registers: [registry],
  });
  const rows = new Counter({
    name: 'loglane_read_rows_total',
    help: 'Rows that ClickHouse read for these statements',
    labelNames: ['statement'],
    registers: [registry],
  });
  return {
    read: (query) =>
      reader.read(
        alsoReport(query, ({ rowsRead }) => {
          statements.inc({ statement: query.name });
          rows.inc({ statement: query.name }, rowsRead);
        }),
      ),
  };
}
