import { readFileSync } from 'node:fs';
import {
  type FoundRows,
  type FoundTexts,
  SPAN_NUMBERS,
} from '../../../../shared/requests/columns/column-builder.js';
import { beginHash } from '../../../../shared/requests/columns/hash-bytes.js';
import type { TextName } from '../../../../shared/requests/columns/request-columns.js';
import { LONGEST_FREE_TEXT, MOST_BYTES_SENT, MOST_TIME_TAKEN_MS } from '../request-limits.js';

/** The scanner of plain lines (assembly/scan-lines.ts, which scan-lines.wasm is compiled from), and what stands where in its memory. */

/** Columns that plain lines have texts of, in the scanner's order. The fourth number of a span is 1 where its text is known to be valid. */
export const columnNames = [
  'client_ip',
  'method',
  'host',
  'target',
  'protocol',
  'user_agent',
  'referrer',
] as const satisfies readonly TextName[];
export type ColumnName = (typeof columnNames)[number];

/** What a scan has found, in its order: good until the next. */
export interface FoundLines extends FoundRows {
  readonly texts: Readonly<Record<ColumnName, FoundTexts>>;
  /** For each column, how many texts stand in it; some may be of no line. */
  readonly textCounts: Uint32Array;
  /** Bytes of the texts that clients write, of this line and all before it. */
  readonly textSums: Uint32Array;
  /** Index in the memory behind the line. */
  readonly ends: Uint32Array;
}

type LayoutName =
  | 'MOST_LINES'
  | 'DAY'
  | 'TEXT_COUNTS'
  | 'TEXTS'
  | 'TEXTS_OF_COLUMN'
  | 'IDS'
  | 'IDS_OF_COLUMN'
  | 'TIMESTAMPS'
  | 'BYTES_SENT'
  | 'STATUSES'
  | 'TIMES_TAKEN'
  | 'TEXT_SUMS'
  | 'ENDS'
  | 'WINDOW'
  | 'WINDOW_BYTES';

interface Exports extends Readonly<Record<LayoutName, { readonly value: number }>> {
  readonly memory: { readonly buffer: ArrayBuffer };
  begin(seed: number, longestText: number, mostDigits: number, mostSecondsDigits: number): void;
  scan(
    from: number,
    to: number,
    mostLines: number,
    mostText: number,
    textOfLine: number,
    maxLineBytes: number,
    midnight: number,
    earliest: number,
    latest: number,
  ): number;
  otherDayAt(): number;
}

/** A number of so many digits is below {@link MOST_BYTES_SENT}. */
const MOST_DIGITS = Math.floor(Math.log10(MOST_BYTES_SENT));
/** So that milliseconds stay below {@link MOST_TIME_TAKEN_MS}. */
const MOST_SECONDS_DIGITS = Math.floor(Math.log10(MOST_TIME_TAKEN_MS / 1_000));

/** The runtime's own: its type comes with those of browsers alone. */
interface Runtime {
  readonly WebAssembly: {
    readonly Module: new (code: Buffer) => object;
    readonly Instance: new (module: object) => { readonly exports: unknown };
  };
}

export function openScannerMemory() {
  const { Module, Instance } = (globalThis as unknown as Runtime).WebAssembly;
  const code = readFileSync(new URL('./scan-lines.wasm', import.meta.url));
  const exported = new Instance(new Module(code)).exports as Exports;
  exported.begin(beginHash(), LONGEST_FREE_TEXT, MOST_DIGITS, MOST_SECONDS_DIGITS);
  const { buffer } = exported.memory;
  return {
    scan: exported.scan,
    otherDayAt: exported.otherDayAt,
    bytes: Buffer.from(buffer),
    dayAt: exported.DAY.value,
    windowAt: exported.WINDOW.value,
    windowBytes: exported.WINDOW_BYTES.value,
    mostLines: exported.MOST_LINES.value,
    found: viewFound(buffer, exported),
  };
}

function viewFound(buffer: ArrayBuffer, layout: Exports): FoundLines {
  const most = layout.MOST_LINES.value;
  const view = new DataView(buffer);
  const textsOf = (column: number): FoundTexts => ({
    view,
    spans: new Int32Array(
      buffer,
      layout.TEXTS.value + column * layout.TEXTS_OF_COLUMN.value,
      SPAN_NUMBERS * most,
    ),
    ids: new Uint16Array(buffer, layout.IDS.value + column * layout.IDS_OF_COLUMN.value, most),
  });
  return {
    timestamp: new Float64Array(buffer, layout.TIMESTAMPS.value, most),
    status: new Uint16Array(buffer, layout.STATUSES.value, most),
    bytes_sent: new Float64Array(buffer, layout.BYTES_SENT.value, most),
    time_taken_ms: new Uint32Array(buffer, layout.TIMES_TAKEN.value, most),
    texts: Object.fromEntries(columnNames.map((name, column) => [name, textsOf(column)])) as Record<
      ColumnName,
      FoundTexts
    >,
    textCounts: new Uint32Array(buffer, layout.TEXT_COUNTS.value, columnNames.length),
    textSums: new Uint32Array(buffer, layout.TEXT_SUMS.value, most),
    ends: new Uint32Array(buffer, layout.ENDS.value, most),
  };
}
