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
      'What was counted: start <= timestamp < end, UTC. Asked for by hours, one of a day or longer begins on a whole hour and a shorter one on a whole minute: never later than asked for.',
  });

/** A window as answers tell it. */
export function toAnswerWindow({ start, end }: Window): z.input<typeof answerWindow> {
  const hours = Math.round(((end - start) / HOUR_MS) * 100) / 100;
  return { start: toInstant(start), end: toInstant(end), hours };
}

const dataSince = instant.nullable().openapi({
  description: 'The hour of the oldest request of the website that is kept; null where there is none.',
});

const BEFORE_DATA =
  'The whole window lies before data_since: no request of it is kept, and zeros do not mean that nobody came.';

/** What an answer says of time: without data_since, "nobody came" would look like "nothing is kept". */
export const datedWindow = {
  window: answerWindow,
  data_since: dataSince,
  window_note: z.string().optional().openapi({
    description: 'Where the whole window lies before data_since: that its zeros mean nothing.',
    example: BEFORE_DATA,
  }),
};

/** The same of an answer that may go out before its rows are read: then it has the window alone. */
export const laterDatedWindow = { ...datedWindow, data_since: dataSince.optional() };

/** The same as values. */
interface DatedWindow {
  readonly window: z.input<typeof answerWindow>;
  readonly data_since: string | null;
  readonly window_note?: string;
}

/**
 * A window and since when there are data.
 * @returns `since` in milliseconds since the epoch; null without data.
 */
export async function dateWindow(
  reader: ClickHouseReader,
  { websiteId, window }: Pick<Scope, 'websiteId' | 'window'>,
): Promise<{ readonly since: number | null; readonly told: DatedWindow }> {
  const since = await readDataSince(reader, websiteId);
  return {
    since,
    told: {
      window: toAnswerWindow(window),
      data_since: since === null ? null : toInstant(since),
      ...(since !== null && window.end <= since && { window_note: BEFORE_DATA }),
    },
  };
}

/** The same of an answer that has the window before beside it, and how to compare. */
export async function compareWindows(
  reader: ClickHouseReader,
  scope: Scope,
): Promise<{
  windows: DatedWindow;
  previous: z.input<typeof answerWindow>;
  change: Comparison;
}> {
  const before = previousWindow(scope.window);
  const { since, told } = await dateWindow(reader, scope);
  return { windows: told, previous: toAnswerWindow(before), change: compareSince(since, before) };
}
