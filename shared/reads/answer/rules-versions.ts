import { z } from '@hono/zod-openapi';
import { requestCount } from './figures.js';

/** The versions of the crawler rules that classified the requests of an answer (shared/crawlers/crawler-rules.ts). */
export const rulesVersions = z
  .array(
    z.object({
      rules_version: z.string().openapi({
        description: 'Month of the crawler table, day of the newest address list in use, digest of both.',
        example: '2026-11/2026-08-21/1f0c9a3b',
      }),
      requests: requestCount,
    }),
  )
  .openapi({
    description:
      'The rules that classified the requests that claim to be a bot; most requests first. More than one: parts of the window were classified by different rules.',
  });

interface VersionRow {
  readonly rules_version: string;
  readonly requests: number;
}

/** The entries of `rulesVersions`. */
export function toRulesVersions(rows: readonly VersionRow[]): z.input<typeof rulesVersions> {
  return rows.map(({ rules_version, requests }) => ({ rules_version, requests }));
}
