import { z } from '@hono/zod-openapi';
import { HOUR_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import { readDataSince } from '../sql/data-since.js';
import { previousWindow, type Scope, type Window } from '../sql/scope.js';
import { type Comparison, compareSince } from './figures.js';
import { instant, toInstant } from './instant.js';

export const answerWindow = z
  .object({ start: instant, end: instant, hours: z.number().openapi({ description: 'Its length.' }) })
  .openapi({
    description:
      'The counted period: start <= timestamp < end, UTC. A window requested by hours begins on a whole hour if it has at least one day, else on a whole minute. It never begins later than requested.',
  });

/** A window as in answers. */
export function toAnswerWindow({ start, end }: Window): z.input<typeof answerWindow> {
  const hours = Math.round(((end - start) / HOUR_MS) * 100) / 100;
  return { start: toInstant(start), end: toInstant(end), hours };
}

const dataSince = instant.nullable().openapi({
  description: 'The hour of the oldest stored request of the website; null without any.',
});

const BEFORE_DATA =
  'The whole window is before data_since: no request of it is stored, and zeros do not mean that nobody came.';

/** Time fields of an answer. Without data_since, missing data would look like missing visitors. */
export const datedWindow = {
  window: answerWindow,
  data_since: dataSince,
  window_note: z.string().optional().openapi({
    description: 'If the whole window is before data_since: a note that its zeros have no meaning.',
    example: BEFORE_DATA,
  }),
};

/** Like datedWindow, for an answer that may be sent before its rows are read: it then has only the window. */
export const laterDatedWindow = { ...datedWindow, data_since: dataSince.optional() };

/** The values of these fields. */
interface DatedWindow {
  readonly window: z.input<typeof answerWindow>;
  readonly data_since: string | null;
  readonly window_note?: string;
}

/**
 * A window and the start of the website's data.
 * @returns `since` in milliseconds since the epoch; null without data.
 */
export async function dateWindow(
  reader: ClickHouseReader,
  { websiteId, window }: Pick<Scope, 'websiteId' | 'window'>,
): Promise<{ readonly since: number | null; readonly fields: DatedWindow }> {
  const since = await readDataSince(reader, websiteId);
  return {
    since,
    fields: {
      window: toAnswerWindow(window),
      data_since: since === null ? null : toInstant(since),
      ...(since !== null && window.end <= since && { window_note: BEFORE_DATA }),
    },
  };
}

/** Like dateWindow, with the previous window and its comparison. */
export async function compareWindows(
  reader: ClickHouseReader,
  scope: Scope,
): Promise<{
  windows: DatedWindow;
  previous: z.input<typeof answerWindow>;
  change: Comparison;
}> {
  const before = previousWindow(scope.window);
  const { since, fields } = await dateWindow(reader, scope);
  return { windows: fields, previous: toAnswerWindow(before), change: compareSince(since, before) };
}
