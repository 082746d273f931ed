import { plainLine } from '../../../../shared/mail/plain-line.js';

/** How what was found is shown to people: names and values, each one line, however deep and long they are. */

const MOST_LINES = 25;
const MOST_OF_LIST = 5;
const LONGEST_VALUE = 300;
const LONGEST_NAME = 60;

/** The character of which mail programs make a link: of a scheme, of an address, of a name that looks like a website's. */
const LINK_SIGN = /:(?=\/\/)|mailto:|www\./gi;

/**
 * A text out of requests as one line that is no link: what an attacker sends as a user agent or path must not be a click away from whoever
 * reads of it. `https[:]//`, `www[.]`
 * @param most as of `plainLine`
 */
export function foreignLine(text: string, most: number): string {
  const broken = plainLine(text, most).replace(LINK_SIGN, (sign) => `${sign.slice(0, -1)}[${sign.at(-1)}]`);
  return plainLine(broken, most);
}

/** @returns name and value of each, the first {@link MOST_LINES} of them. Nested ones are named by their path: `expected.mean`. */
export function plainValues(details: Readonly<Record<string, unknown>>): [name: string, value: string][] {
  const lines: [string, string][] = [];
  addValues(lines, details, '', 0);
  return lines;
}

function addValues(lines: [string, string][], values: object, prefix: string, depth: number): void {
  for (const [name, value] of Object.entries(values)) {
    if (lines.length >= MOST_LINES) return;
    if (value === null || value === undefined || value === '') continue;
    const path = `${prefix}${name}`;
    if (typeof value === 'object' && !Array.isArray(value) && depth < 2)
      addValues(lines, value, `${path}.`, depth + 1);
    else lines.push([foreignLine(path.replaceAll('_', ' '), LONGEST_NAME), plainValue(value)]);
  }
}

function plainValue(value: unknown): string {
  if (!Array.isArray(value)) return foreignLine(textOf(value), LONGEST_VALUE);
  const shown = value.slice(0, MOST_OF_LIST).map((each) => foreignLine(textOf(each), LONGEST_VALUE));
  const more = value.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function textOf(value: unknown): string {
  if (typeof value === 'number' && !Number.isInteger(value)) return String(Math.round(value * 100) / 100);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** `2026-11-22 07:05 UTC` */
export function plainTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
