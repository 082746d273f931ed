import { z } from '@hono/zod-openapi';
import { HOUR_MS } from '../../durations.js';
import type { ClickHouseReader } from '../../store/client.js';
import { readLogStart } from '../sql/data-since.js';
import { previousWindow, type Scope, type Window } from '../sql/scope.js';
import { type Comparison, compareSince, isCovered } from './figures.js';
import { instant, toInstant } from './instant.js';

export const answerWindow = z
  .object({ start: instant, end: instant, hours: z.number().openapi({ description: 'Its length.' }) })
  .openapi({
    description:
      'The counted period: start <= timestamp < end, UTC. A window requested by hours has exactly this length. It ends with the current minute, or with the current ten seconds if it is shorter than a day. A window whose end is later than now ends there too.',
  });

/** A window as in answers. */
export function toAnswerWindow({ start, end }: Window): z.input<typeof answerWindow> {
  const hours = Math.round(((end - start) / HOUR_MS) * 100) / 100;
  return { start: toInstant(start), end: toInstant(end), hours };
}

const dataSince = instant.nullable().openapi({
  description: 'The hour of the oldest stored request of the website; null without any.',
});

const completeSince = instant.nullable().openapi({
  description:
    'The hour from which the logs of the website are complete: after the last gap in them, otherwise data_since. A gap is more than a day without a request, and ten times the usual distance of hours with requests. null without any request.',
});

const BEFORE_DATA =
  'The whole window is before data_since: no request of it is stored, and zeros do not mean that nobody came.';

const NOT_COMPARED =
  'The logs do not cover the previous window completely (complete_since), so nothing is compared with it: all changes are null.';

/** Time fields of an answer. Without data_since, missing data would look like missing visitors. */
export const datedWindow = {
  window: answerWindow,
  data_since: dataSince,
  complete_since: completeSince,
  window_note: z.string().optional().openapi({
    description: 'If the whole window is before data_since: a note that its zeros have no meaning.',
    example: BEFORE_DATA,
  }),
};

/** Also of answers with changes against the previous window. */
export const comparedWindow = {
  ...datedWindow,
  comparison_note: z.string().optional().openapi({
    description: 'If the logs do not cover the previous window: the reason why all changes are null.',
    example: NOT_COMPARED,
  }),
};

/** Like datedWindow, for an answer that may be sent before its rows are read: it then has only the window. */
export const laterDatedWindow = {
  ...datedWindow,
  data_since: dataSince.optional(),
  complete_since: completeSince.optional(),
};

/** The values of these fields. */
interface DatedWindow {
  readonly window: z.input<typeof answerWindow>;
  readonly data_since: string | null;
  readonly complete_since: string | null;
  readonly window_note?: string;
}

/**
 * A window and the start of the website's data.
 * @returns times in milliseconds since the epoch; null without data.
 */
export async function dateWindow(
  reader: ClickHouseReader,
  { websiteId, window }: Pick<Scope, 'websiteId' | 'window'>,
): Promise<{
  readonly since: number | null;
  readonly completeSince: number | null;
  readonly fields: DatedWindow;
}> {
  const logs = await readLogStart(reader, websiteId);
  const since = logs?.since ?? null;
  const complete = logs?.completeSince ?? null;
  return {
    since,
    completeSince: complete,
    fields: {
      window: toAnswerWindow(window),
      data_since: since === null ? null : toInstant(since),
      complete_since: complete === null ? null : toInstant(complete),
      ...(since !== null && window.end <= since && { window_note: BEFORE_DATA }),
    },
  };
}

/** Like dateWindow, with the previous window and its comparison. */
export async function compareWindows(
  reader: ClickHouseReader,
  scope: Scope,
): Promise<{
  windows: DatedWindow & { readonly comparison_note?: string };
  previous: z.input<typeof answerWindow>;
  change: Comparison;
}> {
  const before = previousWindow(scope.window);
  const { completeSince: since, fields } = await dateWindow(reader, scope);
  return {
    // Without any data there is nothing to explain.
    windows:
      isCovered(since, before) || fields.data_since === null
        ? fields
        : { ...fields, comparison_note: NOT_COMPARED },
    previous: toAnswerWindow(before),
    change: compareSince(since, before),
  };
}
