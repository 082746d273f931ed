import type { ClickHouseReader } from '../../store/client.js';
import type { ResolvedMetrics, Row } from './compose-select.js';
import type { Scope } from './scope.js';
import type { Selection } from './selection.js';

/** Rows of rollups in this process's memory. They answer questions without a statement. */
export interface KeptHours {
  /**
   * The rows of each list in the order that `select` documents; null: the engine must answer.
   * @param scope with the website's late verdicts if the selection resolves claims
   * @throws as ClickHouseReader.read
   */
  listsOf(scope: Scope, selection: Selection, resolved: ResolvedMetrics): Promise<Row[][] | null>;
}

/** A reader that wraps another one must copy `keptHours`, or the engine answers all questions. */
export interface ReaderWithHours extends ClickHouseReader {
  readonly keptHours?: KeptHours | undefined;
}
