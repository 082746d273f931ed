import { z } from '@hono/zod-openapi';
import type { ClickHouseReader } from '../clickhouse/client.js';
import type { DimensionFilter } from '../queries/filters.js';
import { aiVisits } from '../queries/rollups.js';
import type { Scope } from '../queries/scope.js';
import { selectList } from '../queries/select.js';
import { errorsOnly } from './ai-visits.js';
import { count, loggedPath } from './figures.js';
import { instant, toInstant } from './instant.js';

/** The pages of ai-landing that answered visitors with an error: links that assistants have wrong, or pages that are gone. */

export const errorPage = z
  .object({
    path: loggedPath,
    status: z.number().int().openapi({ description: 'Status that they got.', example: 404 }),
    landings: count('Landings with this status; a client counts once in half an hour.'),
    first_seen: instant.openapi({ description: 'First landing inside the window.' }),
    last_seen: instant.openapi({ description: 'Last landing inside the window.' }),
  })
  .openapi('AiErrorPage');

/** @param limit most pages. */
export async function readErrorPages(
  reader: ClickHouseReader,
  scope: Scope,
  limit: number,
  where: readonly DimensionFilter[],
): Promise<z.input<typeof errorPage>[]> {
  const rows = await selectList(reader, scope, {
    name: 'ai_landing.error_pages',
    from: [aiVisits],
    by: ['path', 'status'],
    limit,
    metrics: ['visits', 'first_seen', 'last_seen'],
    where: [errorsOnly, ...where],
  });
  return rows.map(({ path, status, visits, first_seen, last_seen }) => ({
    path,
    status,
    landings: visits,
    first_seen: toInstant(first_seen),
    last_seen: toInstant(last_seen),
  }));
}
