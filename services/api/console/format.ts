/** Figures as people read them. All times are shown in the browser's zone, in the reader's language. */

const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumSignificantDigits: 3 });
const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const decimal = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });
const one = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** Some languages have no short form for thousands: 249.000 would look like an exact count. */
const shortensThousands = compact.formatToParts(249_123).some(({ type }) => type === 'compact');

export const NOT_KNOWN = '–';

export function short(value: number | null | undefined): string {
  if (value === null || value === undefined) return NOT_KNOWN;
  const isWritten = Math.abs(value) < (shortensThousands ? 10_000 : 1_000_000);
  return isWritten ? whole.format(value) : compact.format(value);
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
  if (Math.abs(value) > 999) return `>${sign}999 ${unit}`;
  return `${sign}${one.format(Math.abs(value))} ${unit}`;
}

/** `12 s ago`, `3 h ago`, `2 days ago`. */
export function ago(at: string | number | null | undefined, now = Date.now()): string {
  if (at === null || at === undefined) return 'never';
  const seconds = Math.max(0, Math.round((now - (typeof at === 'number' ? at : Date.parse(at))) / 1_000));
  return `${duration(seconds * 1_000)} ago`;
}

/** `12 s`, `3 min`, `5 h`, `2 days`. @param value in milliseconds */
export function duration(value: number): string {
  const seconds = Math.round(value / 1_000);
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 129_600) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

const dayAndTime = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const withSeconds = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
});
const withYear = new Intl.DateTimeFormat(undefined, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const timeOnly = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });
const monthAndDay = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const zone = new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' });
const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });
const dayOnly = new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'short', day: 'numeric' });

export function moment(at: string | number | null | undefined): string {
  return at === null || at === undefined ? NOT_KNOWN : dayAndTime.format(new Date(at));
}

export function withYearAndTime(at: string | number): string {
  return withYear.format(new Date(at));
}

/** With seconds: the time of a single request. */
export function instant(at: string | number): string {
  return withSeconds.format(new Date(at));
}

/** The time of a day: `14:05`, or `2:05 PM` where the language says so. */
export function clock(at: string | number): string {
  return timeOnly.format(new Date(at));
}

/** `Nov 25, 2026, 1:05 – 6:55 PM`. */
export function range(start: number, end: number): string {
  return Number.isNaN(start) || Number.isNaN(end) ? NOT_KNOWN : withYear.formatRange(start, end);
}

/** The reader's time zone: `CET`. */
export function zoneName(): string {
  return zone.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? 'your zone';
}

/** Labels of an axis of times. A label has the day where it changes, and the time where the step is below a day. */
export function axisTimes(times: readonly number[]): string[] {
  const isDaily = times.length > 1 && times[1]! - times[0]! >= 82_800_000;
  return times.map((at, place) => {
    const date = new Date(at);
    const before = place === 0 ? null : new Date(times[place - 1]!);
    if (isDaily || before?.toDateString() !== date.toDateString())
      return isDaily || date.getHours() + date.getMinutes() === 0
        ? monthAndDay.format(date)
        : `${timeOnly.format(date)}\n${monthAndDay.format(date)}`;
    return timeOnly.format(date);
  });
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?Z$/;

/** Whether a value of an answer is a moment in UTC, which a table shows in the reader's zone. */
export function isInstant(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 30 && INSTANT.test(value);
}

/** The name of a country by its code; a text that is no code stays. */
export function countryName(code: string): string {
  return /^[A-Za-z]{2}$/.test(code) ? (countries.of(code.toUpperCase()) ?? code) : code;
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
