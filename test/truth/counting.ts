import type { Window } from '../../shared/reads/sql/scope.js';
import type { StoredRequest } from '../harness/stored-requests.js';
import type { Verdict } from './random-requests.js';

/**
 * Counts rows one by one, as the base of the expected answers in this folder. It shares only field names with
 * the queries. Estimates (unique_*, total_paths, p50 …) are counted exactly here; the comparison
 * (same-answer.ts) allows for their stated error.
 */

export type Rows = readonly StoredRequest[];

export interface Truth {
  /** Rows of the window and of the one before, for one website and the chosen countries. */
  readonly now: Rows;
  readonly before: Rows;
  /** All rows of the website, without filters. */
  readonly website: Rows;
  readonly window: Window;
  readonly previousWindow: Window;
  readonly verdicts: readonly Verdict[];
  /** The hour of the website's oldest request; null: there is none. */
  readonly since: number | null;
  /** Start of the hour after the last gap in the logs. */
  readonly completeSince: number | null;
  /** Whether the filters name a bot or a family. */
  readonly namesBot: boolean;
  /** Whether the row belongs to the bot and the family of the filters, if they name any. */
  readonly isOfNamedBot: (row: StoredRequest) => boolean;
  /** Whether the filters select verified requests only. */
  readonly verifiedOnly: boolean;
}

const NOT_COMPARED =
  'The logs do not cover the previous window completely (complete_since), so nothing is compared with it: all changes are null.';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export const sum = (rows: Rows, value: (row: StoredRequest) => number) =>
  rows.reduce((total, row) => total + value(row), 0);
export const distinct = (rows: Rows, value: (row: StoredRequest) => string) => new Set(rows.map(value)).size;
const round = (value: number) => Math.round(value * 100) / 100;
export const pct = (part: number, whole: number) => (whole === 0 ? 0 : round((100 * part) / whole));
/** The hour of the first request may lack earlier requests. */
const isWhole = ({ completeSince: since, previousWindow: { start } }: Truth) =>
  since !== null && (since === start || Math.floor(since / HOUR) < Math.floor(start / HOUR));
/** Change in percent; null if the previous window is incomplete. */
export const changeIn = (truth: Truth) => (now: number | null, before: number | null) =>
  !isWhole(truth) || now === null || before === null || before === 0
    ? null
    : round((100 * (now - before)) / before);
export const pointsIn = (truth: Truth) => (now: number, before: number, wholeBefore: number) =>
  isWhole(truth) && wholeBefore > 0 ? round(now - before) : null;
export const datedWindow = (truth: Truth) => ({
  window: windowOf(truth.window),
  data_since: truth.since === null ? null : iso(truth.since),
  complete_since: truth.completeSince === null ? null : iso(truth.completeSince),
});
/** For answers with changes, which say that the previous window is incomplete. */
export const comparedWindow = (truth: Truth) => ({
  ...datedWindow(truth),
  ...(truth.completeSince !== null && !isWhole(truth) && { comparison_note: NOT_COMPARED }),
});
export const iso = (instant: number) => new Date(instant).toISOString();
/** Excludes requests without a path, which have no page: log lines that are not HTTP. */
export const onPaths = (rows: Rows) => rows.filter((row) => row.path !== '');
export const distinctPaths = (rows: Rows) => distinct(onPaths(rows), (row) => row.path);
export const byPath = (rows: Rows) => ranked(group(onPaths(rows), (row) => row.path));
export const isHuman = (row: StoredRequest) => row.traffic_class === 'human';
export const claimsBot = (row: StoredRequest) => row.is_bot;
/** Declared bots and undeclared agents. */
export const isNoPerson = (row: StoredRequest) => !isHuman(row);
export const isUndeclared = (row: StoredRequest) => row.traffic_class === 'undeclared_agent';
export const inClass = (digit: number) => (row: StoredRequest) => Math.trunc(row.status / 100) === digit;
export const uniqueIps = (rows: Rows) => distinct(rows, (row) => row.client_ip);

export function group(rows: Rows, key: (row: StoredRequest) => string): Map<string, StoredRequest[]> {
  const groups = new Map<string, StoredRequest[]>();
  for (const row of rows) {
    const name = key(row);
    const rowsOfName = groups.get(name);
    if (rowsOfName === undefined) groups.set(name, [row]);
    else rowsOfName.push(row);
  }
  return groups;
}

/** Byte order, like the engine's comparison of texts. */
export const byText = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Groups with most rows first, then by name. */
export function ranked(groups: Map<string, StoredRequest[]>): [string, StoredRequest[]][] {
  return [...groups].sort(([a, rowsOfA], [b, rowsOfB]) => rowsOfB.length - rowsOfA.length || byText(a, b));
}

/** Counts rows with a claimed bot. */
export function rulesVersions(rows: Rows) {
  return ranked(group(rows, (row) => row.rules_version)).map(([rules_version, some]) => ({
    rules_version,
    requests: some.length,
  }));
}

export function average(rows: Rows): number | null {
  const timed = rows.filter((row) => row.time_taken_ms !== null);
  return timed.length === 0 ? null : round(sum(timed, (row) => row.time_taken_ms!) / timed.length);
}

export function quantile(rows: Rows, level: number): number | null {
  const times = rows.flatMap((row) => row.time_taken_ms ?? []).sort((a, b) => a - b);
  return times[Math.ceil(level * times.length) - 1] ?? null;
}

export function statusClasses(rows: Rows) {
  return {
    status_1xx: rows.filter(inClass(1)).length,
    status_2xx: rows.filter(inClass(2)).length,
    status_3xx: rows.filter(inClass(3)).length,
    status_4xx: rows.filter(inClass(4)).length,
    status_5xx: rows.filter(inClass(5)).length,
    status_other: rows.filter((row) => row.status < 100 || row.status > 599).length,
  };
}

export const windowOf = ({ start, end }: Window) => ({
  start: iso(start),
  end: iso(end),
  hours: round((end - start) / HOUR),
});

export function verificationOf(row: StoredRequest, verdicts: readonly Verdict[]): string {
  if (row.bot_verification !== 'pending') return row.bot_verification;
  const verdict = verdicts.find(
    ({ bot_family, client_ip }) => bot_family === row.bot_family && client_ip === row.client_ip,
  );
  return verdict?.status ?? 'pending';
}

/** Every request is in one class; a proven impostor is in no class that it claims. */
export function trafficClasses(rows: Rows, { verdicts }: Truth) {
  const classOf = (row: StoredRequest) =>
    verificationOf(row, verdicts) === 'spoofed' ? 'spoofed_bot' : row.traffic_class;
  const classes = rows.map(classOf);
  return Object.fromEntries(
    ['human', 'search_bot', 'ai_bot', 'other_bot', 'spoofed_bot', 'undeclared_agent'].map((name) => [
      `${name}_requests`,
      classes.filter((one) => one === name).length,
    ]),
  );
}

export function verificationCounts(rows: Rows, { verdicts }: Truth, infix = '') {
  const verifications = rows.map((row) => verificationOf(row, verdicts));
  return Object.fromEntries(
    ['verified', 'spoofed', 'unverifiable', 'pending'].map((status) => [
      `${status}${infix}_requests`,
      verifications.filter((one) => one === status).length,
    ]),
  );
}

export const latest = (rows: Rows) =>
  rows.reduce((last, row) => (row.timestamp > last.timestamp ? row : last));
export const firstSeen = (rows: Rows) => iso(Math.min(...rows.map((row) => row.timestamp)));
export const lastSeen = (rows: Rows) => iso(Math.max(...rows.map((row) => row.timestamp)));

/**
 * The order of lists of single requests: among several at one instant the last one in the log comes first.
 */
export const newestFirst = (a: StoredRequest, b: StoredRequest) =>
  b.timestamp - a.timestamp ||
  b.log_partition - a.log_partition ||
  b.log_offset - a.log_offset ||
  b.log_index - a.log_index;

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' });
export const nameOf = (country: string) => (country === '' ? '' : countryNames.of(country));

export function buckets(rows: Rows, { start, end }: Window, step: number): [number, StoredRequest[]][] {
  const byTime = group(rows, (row) => String(Math.floor(row.timestamp / step) * step));
  const list: [number, StoredRequest[]][] = [];
  for (let time = start - (start % step); time < end; time += step)
    list.push([time, byTime.get(String(time)) ?? []]);
  return list;
}

/** Whether a bucket exceeds the window, or is not over yet. */
export const isPartial = ({ start, end, running = false }: Window, time: number, step: number) =>
  time < start || time + step > end || (running && time + step === end);
