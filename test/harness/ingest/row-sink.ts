import type { RowSink } from '../../../services/ingest/sources/util/source.js';
import type { ColumnBuilder } from '../../../shared/requests/columns/column-builder.js';

/**
 * A sink of one block.
 * @param capacity the builder's
 * @param onRows called with the number of added rows
 */
export function sinkInto(
  builder: ColumnBuilder,
  capacity: number,
  onRows: (rows: number) => void = () => {},
): RowSink {
  return {
    room: () => ({ builder, rows: capacity - builder.rows, text: Number.MAX_SAFE_INTEGER }),
    rowsAdded: onRows,
  };
}
