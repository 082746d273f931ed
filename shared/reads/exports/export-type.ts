import type { ClickHouse, QueryParameter } from '../../store/client.js';
import type { RecommendationInput } from '../recommendations/recommendation-input.js';
import type { Scope } from '../sql/scope.js';
import type { ExportFilter, ExportQuestion } from './question.js';

/** A column of a file, over the rows `t`. */
export interface Column {
  readonly name: string;
  /**
   * - `text`: untrusted values; in CSV, formulas of spreadsheets are escaped.
   * - `name`: a text with few values, which the engine processes by its dictionary.
   */
  readonly kind: 'text' | 'name' | 'value';
  readonly sql: string;
}

/** The query of a file's rows. */
export interface ExportRows {
  /** The FROM expression of the alias `t`. */
  readonly from: string;
  /** The ORDER BY expression; '': the order of `from`. */
  readonly order: string;
  readonly params: Readonly<Record<string, QueryParameter>>;
  /** Number of rows, if known: a lagging replica has fewer. */
  readonly rows?: number;
}

export interface ComposeDeps {
  readonly clickhouse: Pick<ClickHouse, 'read' | 'insert'>;
  /** Domain of the website. */
  readonly domain: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** A new unique id. */
  readonly newId: () => string;
  readonly recommendations: RecommendationInput;
  readonly signal?: AbortSignal | undefined;
}

/** A type of exports, with the read that it equals (spec §4.10). */
export interface ExportType {
  readonly name: string;
  /** For people, capitalised. */
  readonly title: string;
  /** The path of the read whose rows the file has, without its limit. */
  readonly read: string;
  readonly knows: readonly ExportFilter[];
  /** Values of `filter`, if the type supports it. */
  readonly filterValues?: readonly string[];
  /** For a read without a window: the start of its period at a moment; milliseconds since the epoch. */
  readonly since?: (now: number) => number;
  readonly columns: readonly Column[];
  /** @throws UnknownPatternError; as ClickHouseReader.read */
  compose(deps: ComposeDeps, scope: Scope, question: ExportQuestion): Promise<ExportRows>;
}

/** No URL of the window has the pattern. */
export class UnknownPatternError extends Error {}

/** The filters of every read of requests in a window. */
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
/** @param sql of a time in milliseconds since the epoch. */
export const instant = (name: string, sql = `t.${name}`): Column =>
  value(name, `fromUnixTimestamp64Milli(toInt64(${sql}), 'UTC')`);
