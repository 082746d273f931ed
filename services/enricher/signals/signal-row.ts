import type { Judgement } from '../../../shared/crawlers/judge-request.js';
import { NONE } from '../../../shared/requests/columns/request-columns.js';
import type { EnrichedBlock, LocationFacts, TargetFacts } from '../enriched-block.js';

/** What signals count of a row. What every row is counted by stands in fields; texts that few rows are asked for are read when they are. */
export interface SignalRow {
  readonly block: EnrichedBlock;
  /** Its place in the block. */
  readonly at: number;
  readonly status: number;
  readonly bytes_sent: number;
  readonly time_taken_ms: number | null;
  readonly target: TargetFacts;
  readonly location: LocationFacts;
  readonly judgement: Judgement;
}

/** One object is changed for all rows of a block, since this is done for every row: nobody keeps it. */
export type RowReader = { -readonly [Field in keyof SignalRow]: SignalRow[Field] };

/** @param block with rows */
export function createRowReader(block: EnrichedBlock): RowReader {
  return {
    block,
    at: 0,
    status: 0,
    bytes_sent: 0,
    time_taken_ms: null,
    target: block.target.values[0]!,
    location: block.location.values[0]!,
    judgement: block.judgement.values[0]!,
  };
}

/** The row at a place of the reader's block. */
export function rowAt(reader: RowReader, at: number): SignalRow {
  const { columns, target, location, judgement } = reader.block;
  const took = columns.time_taken_ms[at]!;
  reader.at = at;
  reader.status = columns.status[at]!;
  reader.bytes_sent = columns.bytes_sent[at]!;
  reader.time_taken_ms = took === NONE ? null : took;
  reader.target = target.values[target.ids[at]!]!;
  reader.location = location.values[location.ids[at]!]!;
  reader.judgement = judgement.values[judgement.ids[at]!]!;
  return reader;
}

export function textOf({ block, at }: SignalRow, name: 'client_ip' | 'user_agent' | 'target'): string {
  const { texts, ids } = block.columns.texts[name];
  return texts[ids[at]!]!;
}
