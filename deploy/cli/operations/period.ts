import { usageError } from '../cli-error.js';

export const PERIOD_HELP =
  'window: 24h, 7d, 30d, 90d (any number), today, yesterday, DATE or DATE..DATE (UTC)';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The window of a read as its parameters. @param now milliseconds since the epoch. @throws CliError for another text */
export function periodQuery(text: string, now: number): [name: string, value: string][] {
  const rolling = /^(\d{1,4})([hd])$/.exec(text);
  if (rolling !== null) return [['hours', String(Number(rolling[1]) * (rolling[2] === 'd' ? 24 : 1))]];
  const today = now - (now % DAY_MS);
  if (text === 'today') return spanOf(today, now);
  if (text === 'yesterday') return spanOf(today - DAY_MS, today);
  const days = /^(\d{4}-\d{2}-\d{2})(?:\.\.(\d{4}-\d{2}-\d{2}))?$/.exec(text);
  const [from, to] =
    days === null ? [Number.NaN, Number.NaN] : [Date.parse(days[1]!), Date.parse(days[2] ?? days[1]!)];
  if (Number.isNaN(from) || Number.isNaN(to) || to < from)
    throw usageError(`--period "${text}": expected ${PERIOD_HELP.replace('window: ', '')}`);
  return spanOf(from, Math.min(to + DAY_MS, Math.max(now, from + HOUR_MS)));
}

function spanOf(start: number, end: number): [string, string][] {
  return [
    ['start', new Date(start).toISOString()],
    ['end', new Date(end).toISOString()],
  ];
}
