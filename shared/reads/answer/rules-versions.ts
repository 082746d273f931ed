import { z } from '@hono/zod-openapi';
import { requestCount } from './figures.js';

/** With which versions of the crawler rules the figures of an answer were judged (shared/crawlers/crawler-rules.ts). */
export const rulesVersions = z
  .array(
    z.object({
      rules_version: z.string().openapi({
        description:
          'Month of the table of crawlers, day of the newest list of address ranges that counted, digest of both.',
        example: '2026-11/2026-08-21/1f0c9a3b',
      }),
      requests: requestCount,
    }),
  )
  .openapi({
    description:
      'Which rules judged the requests that claim to be a bot; most requests first. More than one: parts of the window were judged by different rules.',
  });

interface VersionRow {
  readonly rules_version: string;
  readonly requests: number;
}

/** The entries of `rulesVersions`. */
export function toRulesVersions(rows: readonly VersionRow[]): z.input<typeof rulesVersions> {
  return rows.map(({ rules_version, requests }) => ({ rules_version, requests }));
}
