/** Figures as people read them. All times are shown in the browser's zone, in the reader's language. */

const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumSignificantDigits: 3 });
const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const decimal = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });
const one = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

export const NOT_KNOWN = '–';

export function short(value: number | null | undefined): string {
  if (value === null || value === undefined) return NOT_KNOWN;
  return Math.abs(value) < 10_000 ? whole.format(value) : compact.format(value);
}

export function exact(value: number | null | undefined): string {
  return value === null || value === undefined ? NOT_KNOWN : decimal.format(value);
}

export function percent(value: number | null | undefined): string {
  return value === null || value === undefined ? NOT_KNOWN : `${decimal.format(value)} %`;
}

export function milliseconds(value: number | null | undefined): string {
  if (value === null || value === undefined) return NOT_KNOWN;
  return value >= 10_000 ? `${one.format(value / 1_000)} s` : `${whole.format(value)} ms`;
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

export function bytes(value: number | null | undefined): string {
  if (value === null || value === undefined) return NOT_KNOWN;
  let rest = value;
  let unit = 0;
  while (rest >= 1_000 && unit < UNITS.length - 1) {
    rest /= 1_000;
    unit += 1;
  }
  return `${one.format(rest)} ${UNITS[unit]}`;
}

/** `+9.3 %`, `−2 pp`. */
export function change(value: number | null | undefined, unit: '%' | 'pp' = '%'): string {
  if (value === null || value === undefined) return NOT_KNOWN;
  const sign = value > 0 ? '+' : value < 0 ? '−' : '±';
  // A window before with hardly any requests gives a percentage that says nothing.
  if (Math.abs(value) > 999) return `${sign}> 999 ${unit}`;
  return `${sign}${one.format(Math.abs(value))} ${unit}`;
}

/** `12 s ago`, `3 h ago`, `2 days ago`. */
export function ago(at: string | number | null | undefined, now = Date.now()): string {
  if (at === null || at === undefined) return 'never';
  const seconds = Math.max(0, Math.round((now - (typeof at === 'number' ? at : Date.parse(at))) / 1_000));
  if (seconds < 90) return `${seconds} s ago`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 129_600) return `${Math.round(seconds / 3_600)} h ago`;
  return `${Math.round(seconds / 86_400)} days ago`;
}

const dayAndTime = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
const dayOnly = new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'short', day: 'numeric' });

export function moment(at: string | number | null | undefined): string {
  return at === null || at === undefined ? NOT_KNOWN : dayAndTime.format(new Date(at));
}

export function day(at: string | number | null | undefined): string {
  return at === null || at === undefined ? NOT_KNOWN : dayOnly.format(new Date(at));
}

/** Characters that reorder or hide text, and control characters: shown as ·, so that a logged text can't pose as another. */
const DECEIVING =
  /[\p{Cc}\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|\p{Cs}/gu;
const LONGEST_TEXT = 300;

/** Text from logs, safe to show: deceiving characters replaced, cut with a mark. */
export function logText(text: string): string {
  const shown = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
  return shown.replace(DECEIVING, '·');
}

/** Text of several lines, whole: deceiving characters replaced, line breaks and tabs kept. */
export function codeText(text: string): string {
  return text.replace(DECEIVING, (found) => (found === '\n' || found === '\t' ? found : '·'));
}

/** The name of a field as words: `sample_user_agent` → `sample user agent`. */
export function words(name: string): string {
  return logText(name.replaceAll('_', ' '));
}
