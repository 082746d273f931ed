import type { LogRecord } from '../../../../shared/event-log/event-log.js';
import type { Plan } from '../../../../shared/requests/range-plan.js';
import { type EncodeDependencies, type EncodedRecords, startEncoding } from './encode-records.js';
import { createArrivalGatherer } from './gather-arrivals.js';
import { markOf, tokenOf } from './plan-range.js';
import { mostRowsOf } from './record-limits.js';

/**
 * A decoded, enriched and encoded range, ready for its insert. After its rows are stored its body is empty.
 */
export interface PreparedRange extends EncodedRecords {
  readonly plan: Plan;
  /** All records, including dead ones and those that the plan leaves out. */
  readonly records: readonly LogRecord[];
  readonly token: string;
}

export interface PrepareDependencies extends Omit<EncodeDependencies, 'createGatherer'> {
  now(): number;
}

/** A range that is prepared while it grows. */
export interface RangePreparation {
  /** Adds the next records of the partition; one call at a time. */
  add(records: readonly LogRecord[]): Promise<void>;
  /** Call it after at least one record was added. None may be added afterwards. */
  end(): Promise<PreparedRange>;
}

/**
 * @param plan the plan found in the commit, which determines the range even if retention has dropped its
 * first records; null: a new range
 * @param mostRows upper bound of the rows of the range's records
 */
export function startRange(plan: Plan | null, mostRows: number, deps: PrepareDependencies): RangePreparation {
  const leftOut = plan?.leftOut ?? new Set<number>();
  const encoding = startEncoding(mostRows, {
    ...deps,
    createGatherer: () => createArrivalGatherer(deps.now()),
  });
  const records: LogRecord[] = [];
  return {
    async add(some) {
      for (const record of some) {
        records.push(record);
        if (!leftOut.has(record.offset)) await encoding.add(record);
      }
    },
    async end() {
      const encoded = await encoding.end();
      const { partition } = records[0] as LogRecord;
      const settled = plan ?? newPlan(records, deps.now());
      return { ...encoded, plan: settled, records, token: tokenOf(partition, settled) };
    },
  };
}

/** {@link startRange} for a complete list of records. */
export async function prepareRange(
  records: readonly LogRecord[],
  plan: Plan | null,
  deps: PrepareDependencies,
): Promise<PreparedRange> {
  const range = startRange(plan, mostRowsOf(records), deps);
  await range.add(records);
  return range.end();
}

/** The same range without some of its records, under the same token. */
export function leaveOut(
  range: PreparedRange,
  offsets: Iterable<number>,
  deps: PrepareDependencies,
): Promise<PreparedRange> {
  const leftOut = new Set([...range.plan.leftOut, ...offsets]);
  return prepareRange(range.records, { ...range.plan, leftOut }, deps);
}

/** The records that the plan does not leave out. */
export function recordsOf({ records, plan }: PreparedRange): LogRecord[] {
  return records.filter(({ offset }) => !plan.leftOut.has(offset));
}

/** The records whose rows are stored: neither left out nor dead. */
export function recordsToStore(range: PreparedRange): LogRecord[] {
  const dead = new Set(range.dead.map(({ record }) => record.offset));
  return recordsOf(range).filter(({ offset }) => !dead.has(offset));
}

function newPlan(records: readonly LogRecord[], plannedAt: number): Plan {
  const first = records[0] as LogRecord;
  const last = records.at(-1) as LogRecord;
  return { first: first.offset, last: last.offset, mark: markOf(first), plannedAt, leftOut: new Set() };
}
