import type { ClickHouse, QueryParameter } from '../../store/client.js';
import type { RecommendationInput } from '../recommendations/recommendation-input.js';
import type { Scope } from '../sql/scope.js';
import type { ExportFilter, ExportQuestion } from './question.js';

/** A column of a file, over the rows `t`. */
export interface Column {
  readonly name: string;
  /** `text` is of anybody: in CSV what a spreadsheet would take for a formula is disarmed. */
  /** name: a text of few values, which the engine works on by its dictionary. */
  readonly kind: 'text' | 'name' | 'value';
  readonly sql: string;
}

/** Rows of a file, as the engine is asked for them. */
export interface ExportRows {
  /** Of the alias `t`: what stands behind FROM. */
  readonly from: string;
  /** What stands behind ORDER BY; '': in the order of `from`. */
  readonly order: string;
  readonly params: Readonly<Record<string, QueryParameter>>;
  /** How many there are, where that is known: a replica that lags has fewer. */
  readonly rows?: number;
}

export interface ComposeDeps {
  readonly clickhouse: Pick<ClickHouse, 'read' | 'insert'>;
  /** The website's. */
  readonly domain: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** A text that no other call has given. */
  readonly newId: () => string;
  readonly recommendations: RecommendationInput;
  readonly signal?: AbortSignal | undefined;
}

/** One kind of export, beside the read that it equals (spec §4.10). */
export interface ExportType {
  readonly name: string;
  /** For people, at the beginning of a sentence. */
  readonly title: string;
  /** The path of the read whose rows it has, all of them. */
  readonly read: string;
  readonly knows: readonly ExportFilter[];
  /** Values of `filter`, where it knows it. */
  readonly filterValues?: readonly string[];
  /** Of a read that takes no window: since when it looks, of a moment; milliseconds since the epoch. */
  readonly since?: (now: number) => number;
  readonly columns: readonly Column[];
  /** @throws UnknownPatternError; as ClickHouseReader.read */
  compose(deps: ComposeDeps, scope: Scope, question: ExportQuestion): Promise<ExportRows>;
}

/** No URL of the window has the pattern. */
export class UnknownPatternError extends Error {}

/** Of every read of requests in a window. */
export const windowFilters = [
  'bot',
  'bot_name',
  'countries',
  'host',
  'status',
  'status_category',
  'params_filter',
  'file_type',
  'path_filter',
] as const satisfies readonly ExportFilter[];

export const text = (name: string, sql = `t.${name}`): Column => ({ name, kind: 'text', sql });
export const nameOf = (name: string, sql = `t.${name}`): Column => ({ name, kind: 'name', sql });
export const value = (name: string, sql = `t.${name}`): Column => ({ name, kind: 'value', sql });
/** @param sql of milliseconds since the epoch. */
export const instant = (name: string, sql = `t.${name}`): Column =>
  value(name, `fromUnixTimestamp64Milli(toInt64(${sql}), 'UTC')`);
