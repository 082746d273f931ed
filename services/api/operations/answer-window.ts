import { z } from '@hono/zod-openapi';
import type { Window } from '../../../shared/queries/scope.js';
import { instant, toInstant } from './instant.js';

const HOUR_MS = 3_600_000;

export const answerWindow = z
  .object({ start: instant, end: instant, hours: z.number().openapi({ description: 'Its length.' }) })
  .openapi({ description: 'What was counted: start <= timestamp < end, UTC.' });

export function toAnswerWindow({ start, end }: Window): z.input<typeof answerWindow> {
  const hours = Math.round(((end - start) / HOUR_MS) * 100) / 100;
  return { start: toInstant(start), end: toInstant(end), hours };
}
