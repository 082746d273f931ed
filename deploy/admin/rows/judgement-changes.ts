import type { Judgement } from '../../../shared/crawlers/judge-request.js';
import { inPieces } from '../../../shared/pacing/in-pieces.js';
import type { Query } from '../../../shared/store/client.js';

/**
 * New judgements of stored rows as few statements, whatever the number of different ones: clients make up names, and each mutation
 * rewrites all columns of every part that it touches.
 */

/** The columns that are changed, in the order in which judgements are sorted: what clients make up comes last. */
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

/** What a judgement follows from, beside the rules and the day: as 32 characters. The last three tell what DNS has said before. */
export const KEY =
  'hex(sipHash128(user_agent, client_ip, asn, cdn_bot_category, bot_family, bot_verification, verification_method))';

/** The rows of a key get this judgement. */
export interface Change {
  readonly key: string;
  readonly judgement: Judgement;
}

/** The part of an `ALTER TABLE requests` that carries changes out, for a condition to be added to. */
export interface Update {
  readonly sets: string;
  readonly condition: string;
  readonly params: Query<unknown>['params'];
}

/**
 * Parameters travel in the address, of which a server takes 128 KiB for one and 1 MiB for all, each quotation mark and comma as three
 * characters; with the embedded engine within the statement, which takes 256 KiB.
 */
const KEYS_PER_STATEMENT = 2_500;
const MAX_PARAMETER_BYTES = 125_000;
const MAX_STATEMENT_BYTES = 240_000;

/** One key at most once. The updates may be carried out in any order, and again. */
export function updatesOf(changes: readonly Change[]): Update[] {
  const sorted = changes.map((change) => ({ ...change, text: textOf(change.judgement) }));
  sorted.sort((one, other) => (one.text < other.text ? -1 : 1));
  return inPieces(sorted, KEYS_PER_STATEMENT).flatMap(updatesThatFit);
}

interface NamedChange extends Change {
  /** The same for the same judgement. */
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

/** Of a text within a list, in its quotation marks; marks in it are doubled. */
const literalBytes = (text: string) => Buffer.byteLength(JSON.stringify(text).replaceAll("'", "''")) + 2;

/** `judged` is the place of a row's new judgement among those of the statement, from 1; 0: the row stays as it is. */
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

/** A column in which all judgements agree is said once. */
function setOf(column: (typeof judgedColumns)[number], judgements: readonly Judgement[]) {
  const type = column === 'is_bot' ? 'UInt8' : 'String';
  const values = judgements.map((judgement) => plain(judgement[column]));
  const [first] = values;
  return values.every((value) => value === first)
    ? { column, value: first!, set: `${column} = {${column}: ${type}}` }
    : { column, value: values, set: `${column} = arrayElement({${column}: Array(${type})}, judged)` };
}

/** A list that is bound holds no boolean. */
const plain = (value: string | boolean) => (typeof value === 'boolean' ? Number(value) : value);
