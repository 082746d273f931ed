import type { Cell } from '../answer.js';

/** Fields of the API's answers as cells. Nothing is computed: a cell has a value of the API. */

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param path with dots: `served.requests`. */
export function fieldOf(value: unknown, path: string): unknown {
  let at = value;
  for (const name of path.split('.')) at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  return at;
}

export function listAt(value: unknown, path: string): readonly unknown[] {
  const list = path === '' ? value : fieldOf(value, path);
  return Array.isArray(list) ? list : [];
}

const MOST_ITEMS = 5;

export function cellOf(value: unknown): Cell {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string') return value;
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map(itemOf).join(' | ');
  return itemOf(value);
}

function itemOf(value: unknown): string {
  if (!isObject(value)) return Array.isArray(value) ? JSON.stringify(value) : String(value);
  return Object.entries(value)
    .slice(0, MOST_ITEMS + 3)
    .map(([name, field]) => `${name} ${typeof field === 'object' ? JSON.stringify(field) : String(field)}`)
    .join(' ');
}

/** About the call or the part, and long texts. */
const leftOut = new Set([
  'data_buffering',
  'page',
  'page_size',
  'total_pages',
  'dir_page',
  'dir_page_size',
  'has_next',
  'has_prev',
  'limit',
  'count',
  'next_cursor',
  'raw_content',
  'website_id',
]);

/** Scalars of an object, and of its objects under dotted names down to a depth. */
export function scalarsOf(value: unknown, { prefix = '', depth = 1 } = {}): Record<string, Cell> {
  if (!isObject(value)) return {};
  const cells: [string, Cell][] = [];
  for (const [name, field] of Object.entries(value)) {
    if (leftOut.has(name) || name.startsWith('_')) continue;
    if (isObject(field)) {
      if (depth > 0)
        cells.push(...Object.entries(scalarsOf(field, { prefix: `${prefix}${name}.`, depth: depth - 1 })));
    } else if (!Array.isArray(field)) cells.push([`${prefix}${name}`, cellOf(field)]);
  }
  return Object.fromEntries(cells);
}
