import { plainLine } from '../../mail/plain-line.js';
import type { Column, Table } from './document.js';

/** Formats numbers and foreign texts for a report. */

const LONGEST_PATH = 160;
const LONGEST_NAME = 80;
const LONGEST_PROBLEM = 200;
/** A larger change means that the period before had almost nothing. */
const MOST_TOLD_PCT = 900;

export const whole = (value: number) => value.toLocaleString('en-GB');
export const percent = (value: number) => `${value.toLocaleString('en-GB', { maximumFractionDigits: 1 })} %`;

/** The percentage of the whole, unrounded; 0 if the whole is 0. */
export const shareOf = (part: number, all: number) => (all === 0 ? 0 : (100 * part) / all);

/** A change; empty if there is nothing to compare with. The summary reports that once. */
export function change(value: number | null): string {
  if (value === null) return '';
  if (value === 0) return 'no change';
  if (value > MOST_TOLD_PCT) return 'more than ten times as many';
  return `${value > 0 ? '+' : '−'}${percent(Math.abs(value))}`;
}

/** The note under a figure: its change against the period before. */
export function changeNote(value: number | null): string {
  const changed = change(value);
  return changed === '' ? '' : `${changed} on the period before`;
}

export function duration(ms: number): string {
  return ms < 1_000 ? `${whole(Math.round(ms))} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** The singular or the plural. */
export const counted = (count: number, one: string, many: string) =>
  `${whole(count)} ${count === 1 ? one : many}`;

/** A path that any client may have requested. */
export const pathText = (path: string) => plainLine(path, LONGEST_PATH);
/** A name, or another short foreign text. */
export const nameText = (name: string) => plainLine(name, LONGEST_NAME);

/** `22 November 2026`, UTC. @param at milliseconds since the epoch */
export function dayText(at: number): string {
  return new Date(at).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}

export const column = (title: string, holds: Column['holds'] = 'text'): Column => ({ title, holds });

export function table(caption: string, columns: readonly Column[], rows: Table['rows']): Table {
  return { kind: 'table', caption, columns, rows };
}

/** null if there are no rows. */
export function tableOrNone(caption: string, columns: readonly Column[], rows: Table['rows']): Table | null {
  return rows.length === 0 ? null : table(caption, columns, rows);
}

/** A foreign description of a problem, as one sentence with one full stop. */
export const plainProblem = (text: string) => `${plainLine(text, LONGEST_PROBLEM).replace(/\.$/, '')}.`;

/**
 * `2026-11-22 10:05`, UTC: the first request of an alert. Without one it is the time at which the message was found: after a worse
 * repeat, the message and `details.at` are those of the repeat.
 */
export function alertMoment(alert: { readonly created_at: unknown; readonly details: object }): string {
  const { first_request_at, at }: { first_request_at?: unknown; at?: unknown } = alert.details;
  const known = [first_request_at, at].find((time): time is string => typeof time === 'string');
  return minuteText(known ?? (alert.created_at as string));
}

/** @param instant ISO 8601, UTC */
const minuteText = (instant: string) => plainLine(instant, 24).slice(0, 16).replace('T', ' ');
