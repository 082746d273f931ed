import { z } from '@hono/zod-openapi';

/** A moment as answers tell it: ISO 8601, UTC. */
export const instant = z.iso.datetime().openapi({ example: '2026-11-03T09:41:07.250Z' });

/** One that there may not be. @param description says when there is none. */
export function moment(description: string) {
  return instant.nullable().openapi({ description });
}

/** @param milliseconds since the epoch. */
export function toInstant(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
