import { z } from '@hono/zod-openapi';

/** A time in an answer: ISO 8601, UTC. */
export const instant = z.iso.datetime().openapi({ example: '2026-11-03T09:41:07.250Z' });

/** A nullable time. @param description states when it is null. */
export function moment(description: string) {
  return instant.nullable().openapi({ description });
}

/** @param milliseconds since the epoch. */
export function toInstant(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
