import { z } from '@hono/zod-openapi';

/** Classes of statuses. `other`: no status at all (0, the client left first) or one outside 100-599. */
export const statusCategories = ['1xx', '2xx', '3xx', '4xx', '5xx', 'other'] as const;

export const statusCategory = z.enum(statusCategories).openapi({
  description: 'other: no status, as when the client left before an answer, or one outside 100-599.',
});

/** The class of a status, for the answers that name it. */
export function toStatusCategory(status: number): z.input<typeof statusCategory> {
  return status >= 100 && status < 600 ? statusCategories[Math.floor(status / 100) - 1]! : 'other';
}
