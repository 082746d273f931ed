import { visibleLine } from '../../../shared/visible-text.js';
import { chosen, fieldOf, type Row } from '../output/rows.js';
import { renderTable } from '../output/table.js';

/** The state of `loglane top`, its keys and its picture. */

export const GROUPS = ['path', 'bot', 'ip', 'status'] as const;
export type Group = (typeof GROUPS)[number];

export interface Screen {
  readonly by: Group;
  readonly selected: number;
  readonly verified: boolean;
  /** Parameters of the reads, from rows that were chosen. */
  readonly filters: Readonly<Partial<Record<'bot' | 'status', string>>>;
}

const GROUP_OF = new Map<string, Group>(GROUPS.map((group) => [group[0]!, group]));
/** The field that names a row of a bot or of a status. */
const NAMES = { bot: 'bot_name', status: 'status' } as const;

/** Those that fit come first on a narrow terminal. */
const COLUMNS: Readonly<Record<Group, readonly string[]>> = {
  path: [
    ...['path', 'requests', 'share_pct', 'human_requests', 'search_bot_requests', 'ai_bot_requests'],
    ...['status_4xx', 'status_5xx', 'avg_time_ms'],
  ],
  bot: ['bot_name', 'requests', 'share_pct', 'verification_status', 'bot_operator', 'bot_category'],
  ip: ['client_ip', 'requests', 'share_pct', 'country', 'as_name'],
  status: ['status', 'requests', 'share_pct', 'human_requests', 'delta_pct'],
};
/** An arrow is three characters; a fast typist sends several keys at once. */
const KEY = new RegExp([String.raw`\u001b\[[A-Z]`, String.raw`[\s\S]`].join('|'), 'g');

/** The keys in a text of the terminal, in order. */
export function keysOf(text: string): string[] {
  return text.match(KEY) ?? [];
}

/** @param rows those of the answer. @returns null: the end */
export function press(key: string, screen: Screen, rows: readonly Row[]): Screen | null {
  const move = (by: number) => ({
    ...screen,
    selected: Math.max(0, Math.min(rows.length - 1, screen.selected + by)),
  });
  if (key === 'q' || key === '\u0003') return null;
  if (key === 'v') return { ...screen, verified: !screen.verified };
  if (key === 'j' || key === '\u001b[B') return move(1);
  if (key === 'k' || key === '\u001b[A') return move(-1);
  if (key === '\u007f' || key === 'x') return { ...screen, filters: {}, verified: false };
  if (key === '\r') return choose(screen, rows[screen.selected]);
  const by = GROUP_OF.get(key);
  return by === undefined ? screen : { ...screen, by, selected: 0 };
}

/** A bot or a status becomes a filter of the paths. */
function choose(screen: Screen, row: Row | undefined): Screen {
  const { by, filters } = screen;
  if (row === undefined || (by !== 'bot' && by !== 'status')) return screen;
  const value = fieldOf(row, NAMES[by]);
  if (value === undefined || value === '') return screen;
  return { ...screen, by: 'path', selected: 0, filters: { ...filters, [by]: String(value) } };
}

/** The lines of the whole terminal. */
export function picture(
  { by, selected, verified, filters }: Screen,
  rows: readonly Row[],
  { width, height, colour, note }: { width: number; height: number; colour: boolean; note: string },
): string {
  const limits = Object.entries({ ...filters, ...(verified && { verified: 'yes' }) });
  const head = `requests of the last hour by ${by}${limits.map(([name, value]) => `  [${name}: ${value}]`).join('')}`;
  const filter = by === 'bot' || by === 'status' ? '  Enter filter' : '';
  const keys = `q quit  ↑↓ select${filter}  x clear  v verified  p path  b bot  i ip  s status`;
  const most = Math.max(1, height - 4);
  const marked = Math.min(selected, rows.length - 1);
  const from = Math.max(0, marked - most + 1);
  const columns = COLUMNS[by].filter((column) => rows.some((row) => fieldOf(row, column) !== undefined));
  const table = renderTable(
    rows.slice(from, from + most).map((row) => chosen(row, columns)),
    { width: width - 2, colour, columns: null },
  );
  const body = table.lines.map((line, at) => `${at === marked - from + 1 ? '> ' : '  '}${line}`);
  return [
    visibleLine(head).slice(0, width),
    ...(rows.length === 0 ? ['  (none)'] : body),
    '',
    visibleLine(note || keys).slice(0, width),
  ].join('\n');
}
