import { z } from '@hono/zod-openapi';

/** Classes of statuses. `other`: no status at all (0, the client left first) or one outside 100-599. */
export const statusCategories = ['1xx', '2xx', '3xx', '4xx', '5xx', 'other'] as const;

export type StatusCategory = (typeof statusCategories)[number];

export const statusCategory = z.enum(statusCategories).openapi({
  description:
    'The first digit of the status: 304 is 3xx. other: no status, as when the client left before an answer, or one outside 100-599.',
});

/** A class as the filters of reads have it: its first digit; 0 for `other`. */
export function statusClassOf(category: StatusCategory): number {
  return (statusCategories.indexOf(category) + 1) % statusCategories.length;
}

/** The class of a status, for the answers that name it. */
export function toStatusCategory(status: number): StatusCategory {
  return status >= 100 && status < 600 ? statusCategories[Math.floor(status / 100) - 1]! : 'other';
}
