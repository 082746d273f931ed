import { plainLine } from '../../mail/plain-line.js';
import { breakLinks } from './break-links.js';

/** Shows evidence to people as names and values. Each is one line of bounded length. */

const MOST_LINES = 25;
const MOST_OF_LIST = 5;
const MOST_OF_INNER_LIST = 3;
const LONGEST_VALUE = 300;
const LONGEST_NAME = 60;

/**
 * A text from a request as one line without links (break-links.ts).
 * @param most as in `plainLine`. @param own the website's domain, which may stay a link
 */
export function foreignLine(text: string, most: number, own = ''): string {
  return plainLine(breakLinks(plainLine(text, most), own), most);
}

/** Words for evidence fields whose names are unclear to a person (services/detector/rules). Other names are shown with spaces: `timed requests`. */
const wordsByField: ReadonlyMap<string, string> = new Map([
  ['of', 'counted requests'],
  ['current_value', 'current value'],
  ['baseline_value', 'usual value'],
  ['deviation_pct', 'deviation in %'],
  ['current_share_pct', 'current share in %'],
  ['baseline_share_pct', 'usual share in %'],
  ['window_minutes', 'length of the window in minutes'],
  ['status_4xx', 'answered 4xx'],
  ['status_5xx', 'answered 5xx'],
  ['rejected', 'refused (401, 402, 403, 429, 451)'],
  ['ip', 'address'],
  ['asn', 'autonomous system'],
  ['away_minutes', 'absent for minutes'],
  ['silent_minutes', 'without logs for minutes'],
  ['longest_usual_minutes', 'longest usual absence in minutes'],
  ['longest_usual_silence_minutes', 'longest usual silence in minutes'],
]);
/** Names the counted requests, by the field `of`. */
const countedByValue: ReadonlyMap<unknown, string> = new Map([
  ['requests', 'all'],
  ['people', 'from people'],
]);
const wordsOf = (field: string) => wordsByField.get(field) ?? field.replaceAll('_', ' ');

/**
 * @param own as in `foreignLine`
 * @returns name and value of the first {@link MOST_LINES} fields that are not empty. Nested ones are named by their path: `expected, mean`
 */
export function plainValues(
  details: Readonly<Record<string, unknown>>,
  own = '',
): [name: string, value: string][] {
  const lines: [string, string][] = [];
  addValues(lines, details, { prefix: '', depth: 0, own });
  return lines;
}

function addValues(
  lines: [string, string][],
  values: object,
  { prefix, depth, own }: { readonly prefix: string; readonly depth: number; readonly own: string },
): void {
  for (const [name, value] of Object.entries(values)) {
    if (lines.length >= MOST_LINES) return;
    if (isEmpty(value)) continue;
    const path = `${prefix}${wordsOf(name)}`;
    if (typeof value === 'object' && !Array.isArray(value) && depth < 2)
      addValues(lines, value, { prefix: `${path}, `, depth: depth + 1, own });
    else {
      const text = (name === 'of' ? countedByValue.get(value) : undefined) ?? plainValue(value, own);
      if (text !== '') lines.push([foreignLine(path, LONGEST_NAME, own), text]);
    }
  }
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return Array.isArray(value) && value.every(isEmpty);
}

function plainValue(value: unknown, own: string): string {
  if (!Array.isArray(value)) return foreignLine(textOf(value), LONGEST_VALUE, own);
  const full = value.filter((each) => !isEmpty(each));
  const shown = full.slice(0, MOST_OF_LIST).map((each) => foreignLine(textOf(each), LONGEST_VALUE, own));
  const more = full.length - shown.length;
  const separator = full.some((each) => typeof each === 'object') ? '; ' : ', ';
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(separator);
}

/** An object as its fields, each with its name: `path /a, requests 3`. Deeper objects are left out. */
function textOf(value: unknown): string {
  if (typeof value === 'number' && !Number.isInteger(value)) return String(Math.round(value * 100) / 100);
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .filter(([, held]) => !isEmpty(held) && !isDeep(held))
    .map(([field, held]) => (Array.isArray(value) ? plainText(held) : `${wordsOf(field)} ${plainText(held)}`))
    .join(', ');
}

/** Whether the value contains objects. The text of the object around it leaves it out. */
const isDeep = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(isDeep) : typeof value === 'object' && value !== null;

function plainText(value: unknown): string {
  if (!Array.isArray(value)) return textOf(value);
  const full = value.filter((each) => !isEmpty(each));
  const more = full.length - MOST_OF_INNER_LIST;
  const shown = full.slice(0, MOST_OF_INNER_LIST).map(textOf).join(' ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** `2026-11-22 07:05 UTC` */
export function plainTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** `2026-11-22 07:05 UTC to 2026-11-22 08:10 UTC`, or one time if both are in the same minute. */
export function plainSpan(from: number, to: number): string {
  const [start, end] = [plainTime(from), plainTime(to)];
  return end === start ? start : `${start} to ${end}`;
}
