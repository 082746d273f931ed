import type { Judgement } from '../../../shared/crawlers/judge-request.js';
import { inPieces } from '../../../shared/pacing/in-pieces.js';
import type { Query } from '../../../shared/store/client.js';

/**
 * Writes any number of different judgements of stored rows with few statements. Clients invent names, and each mutation
 * rewrites all columns of every affected part.
 */

/** The changed columns, in the sort order of judgements: columns with names from clients come last. */
export const judgedColumns = [
  'is_bot',
  'traffic_class',
  'bot_verification',
  'verification_method',
  'bot_category',
  'ai_intent',
  'device_type',
  'os',
  'browser',
  'bot_family',
  'bot_operator',
  'bot_variant',
  'bot_name',
] as const satisfies readonly (keyof Judgement)[];

/** The inputs of a judgement besides the rules and the day, hashed to 32 characters. The last three contain earlier DNS results. */
export const KEY =
  'hex(sipHash128(user_agent, client_ip, asn, cdn_bot_category, bot_family, bot_verification, verification_method))';

/** The rows of a key get this judgement. */
export interface Change {
  readonly key: string;
  readonly judgement: Judgement;
}

/** The update part of an `ALTER TABLE requests`; the caller adds a condition. */
export interface Update {
  readonly sets: string;
  readonly condition: string;
  readonly params: Query<unknown>['params'];
}

/**
 * Parameters are in the URL, where each quotation mark and comma is three characters. A server accepts 128 KiB for one parameter and
 * 1 MiB for the URL. With the embedded engine, parameters are in the statement, which is limited to 256 KiB.
 */
const KEYS_PER_STATEMENT = 2_500;
const MAX_PARAMETER_BYTES = 125_000;
const MAX_STATEMENT_BYTES = 240_000;

/** @param changes with each key at most once. @returns updates that can run in any order, and repeatedly. */
export function updatesOf(changes: readonly Change[]): Update[] {
  const sorted = changes.map((change) => ({ ...change, text: textOf(change.judgement) }));
  sorted.sort((one, other) => (one.text < other.text ? -1 : 1));
  return inPieces(sorted, KEYS_PER_STATEMENT).flatMap(updatesThatFit);
}

interface NamedChange extends Change {
  /** Equal for equal judgements. */
  readonly text: string;
}

const textOf = (judgement: Judgement) => JSON.stringify(judgedColumns.map((column) => judgement[column]));

function updatesThatFit(changes: readonly NamedChange[]): Update[] {
  const update = updateOf(changes);
  if (changes.length === 1 || fits(update)) return [update];
  return inPieces(changes, Math.ceil(changes.length / 2)).flatMap(updatesThatFit);
}

function fits({ params }: Update): boolean {
  const values = Object.values(params);
  return (
    values.every((value) => encodeURIComponent(JSON.stringify(value)).length <= MAX_PARAMETER_BYTES) &&
    values.flat().reduce((sum: number, value) => sum + literalBytes(String(value)), 0) <= MAX_STATEMENT_BYTES
  );
}

/** Bytes of a text in a list, with its quotation marks; quotation marks in it are doubled. */
const literalBytes = (text: string) => Buffer.byteLength(JSON.stringify(text).replaceAll("'", "''")) + 2;

/** `judged` is the index of a row's new judgement in the statement, from 1; 0: the row does not change. */
function updateOf(changes: readonly NamedChange[]): Update {
  const places = new Map<string, number>();
  const judgements: Judgement[] = [];
  for (const { text, judgement } of changes)
    if (!places.has(text)) places.set(text, judgements.push(judgement));
  const columns = judgedColumns.map((column) => setOf(column, judgements));
  return {
    sets: columns.map(({ set }) => set).join(', '),
    condition: `(transform(${KEY}, {keys: Array(String)}, {places: Array(UInt16)}, toUInt16(0)) AS judged) > 0`,
    params: {
      ...Object.fromEntries(columns.map(({ column, value }) => [column, value])),
      keys: changes.map(({ key }) => key),
      places: changes.map(({ text }) => places.get(text)!),
    },
  };
}

/** A column with the same value in all judgements is set by one literal. */
function setOf(column: (typeof judgedColumns)[number], judgements: readonly Judgement[]) {
  const type = column === 'is_bot' ? 'UInt8' : 'String';
  const values = judgements.map((judgement) => plain(judgement[column]));
  const [first] = values;
  return values.every((value) => value === first)
    ? { column, value: first!, set: `${column} = {${column}: ${type}}` }
    : { column, value: values, set: `${column} = arrayElement({${column}: Array(${type})}, judged)` };
}

/** Bound lists can't contain booleans. */
const plain = (value: string | boolean) => (typeof value === 'boolean' ? Number(value) : value);
