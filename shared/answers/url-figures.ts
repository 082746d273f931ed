import { z } from '@hono/zod-openapi';

/** Fields of the sections of a URL's report: null while their source has nothing. */

export const available = z
  .boolean()
  .openapi({ description: 'false: see reason; then all figures are null.' });

export const reason = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names).nullable().openapi({ description: 'Why it is not available.' });

export const text = (description: string) => z.string().nullable().openapi({ description });
export const whole = (description: string) => z.int().nullable().openapi({ description });
export const fraction = (description: string) => z.number().nullable().openapi({ description });
export const flag = (description: string) => z.boolean().nullable().openapi({ description });
