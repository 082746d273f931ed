import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { emptyState, type WritableState } from '../domain/state.js';

/**
 * Serialises a state to texts and restores it: every table of the state, and the versions. The restored state folds
 * exactly like the original, with rows in the same order. Rows are plain JSON data, like the events they were made
 * from.
 */

/** The state after the first records of `control.events`. */
export interface Snapshot {
  /** Fingerprint of the fold that made it (fold-fingerprint.ts). */
  readonly fingerprint: string;
  /** Offset of the first record that is not part of it. */
  readonly nextOffset: number;
  /** Id of the decision in the record before that one, which differs in another log. */
  readonly lastDecision: string;
  /**
   * Single-use. Each part has about {@link PART_LENGTH} characters, so that a large state is never in memory as one
   * text.
   */
  readonly parts: AsyncIterable<string>;
}

/** Large enough that a million rows are a few hundred parts, small enough for quick reads and inserts. */
const PART_LENGTH = 1024 ** 2;
/** A part is a list of lines, with a yield to the event loop after each. Stringifying one takes half a millisecond. */
const LINE_LENGTH = 64 * 1024;

/** The rows at one time, not yet serialised. Rows are immutable, so copying a state only copies references. */
export type StateCopy = readonly Section[];

interface Section {
  readonly name: string;
  readonly size: number;
  textAt(index: number): string;
}

/** The part of a table's interface that a snapshot needs, for any rows. */
interface AnyTable {
  values(): Iterable<unknown>;
  put(row: never): void;
}

function tablesOf({ versions: _versions, ...tables }: WritableState): Readonly<Record<string, AnyTable>> {
  return tables;
}

/** Copies the state's references synchronously. */
export function copyState(state: WritableState): StateCopy {
  const tables = Object.entries(tablesOf(state)).map(([name, table]): Section => {
    const rows = [...table.values()];
    return { name, size: rows.length, textAt: (index) => JSON.stringify(rows[index]) };
  });
  // As two lists, since a million pairs would be expensive.
  const keys = [...state.versions.keys()];
  const versions = [...state.versions.values()];
  const pairAt = (index: number) => JSON.stringify([keys[index], versions[index]]);
  return [...tables, { name: 'versions', size: keys.length, textAt: pairAt }];
}

/**
 * The parts of a snapshot. Equal states give equal parts. The last line is the digest of all others, so that parts of
 * two writers with different splits are never combined.
 */
export async function* serialise(copy: StateCopy): AsyncGenerator<string> {
  const digest = createHash('sha256');
  let part = '';
  for (const line of linesOf(copy)) {
    part += `${line}\n`;
    digest.update(line);
    if (part.length >= PART_LENGTH) {
      yield part;
      part = '';
    }
    await nextTurn();
  }
  yield `${part}${JSON.stringify({ sha256: digest.digest('hex') })}\n`;
}

/** `{"name":"websites","rows":[…]}`; rows of versions are pairs. */
function* linesOf(copy: StateCopy): Generator<string> {
  for (const { name, size, textAt } of copy) {
    const head = `{"name":${JSON.stringify(name)},"rows":[`;
    let line = '';
    for (let index = 0; index < size; index++) {
      line += line === '' ? textAt(index) : `,${textAt(index)}`;
      if (line.length < LINE_LENGTH && index < size - 1) continue;
      yield `${head}${line}]}`;
      line = '';
    }
  }
}

interface Rows {
  readonly name: string;
  readonly rows: readonly unknown[];
}

/** @throws Error unless the parts are all parts of one snapshot, in order. */
export async function deserialise(parts: AsyncIterable<string>): Promise<WritableState> {
  const state = emptyState();
  const tables = new Map(Object.entries(tablesOf(state)));
  const digest = createHash('sha256');
  let wanted: string | null = null;
  for await (const part of parts) {
    for (const text of part.split('\n')) {
      if (text === '') continue;
      const line = JSON.parse(text) as Rows | { readonly sha256: string };
      if ('sha256' in line) {
        wanted = line.sha256;
      } else {
        digest.update(text);
        addRows(state, tables, line);
      }
    }
  }
  if (digest.digest('hex') !== wanted) throw new Error('snapshot: its parts do not belong together');
  return state;
}

function addRows(state: WritableState, tables: ReadonlyMap<string, AnyTable>, { name, rows }: Rows): void {
  if (name === 'versions') {
    for (const [key, version] of rows as [string, number][]) state.versions.set(key, version);
    return;
  }
  const table = tables.get(name);
  if (table === undefined) throw new Error(`snapshot: there is no table ${JSON.stringify(name)}`);
  for (const row of rows) table.put(row as never);
}
