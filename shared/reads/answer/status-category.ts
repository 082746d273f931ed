import { z } from '@hono/zod-openapi';

/** Status classes. `other`: no status (0, the client left before the response) or one outside 100-599. */
export const statusCategories = ['1xx', '2xx', '3xx', '4xx', '5xx', 'other'] as const;

export type StatusCategory = (typeof statusCategories)[number];

export const statusCategory = z.enum(statusCategories).openapi({
  description:
    'The first digit of the status: 304 is 3xx. other: no status, as when the client left before an answer, or one outside 100-599.',
});

/** A class as in the filters of reads: its first digit; 0 for `other`. */
export function statusClassOf(category: StatusCategory): number {
  return (statusCategories.indexOf(category) + 1) % statusCategories.length;
}

/** The class of a status, by its name in answers. */
export function toStatusCategory(status: number): StatusCategory {
  return status >= 100 && status < 600 ? statusCategories[Math.floor(status / 100) - 1]! : 'other';
}
