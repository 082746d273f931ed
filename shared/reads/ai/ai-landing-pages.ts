import { z } from '@hono/zod-openapi';
import type { ClickHouseReader } from '../../store/client.js';
import { count, loggedPath, percentOf } from '../answer/figures.js';
import { instant, toInstant } from '../answer/instant.js';
import { oneOf } from '../sql/filters.js';
import { paths as pathsRollup } from '../sql/read-tables.js';
import type { Scope } from '../sql/scope.js';
import { selectList } from '../sql/select.js';
import { readByTexts } from '../sql/text-batches.js';
import { FOLLOW_ON_MINUTES, type FollowOn, MAX_PAGE_VIEWS, MAX_VISITS } from './follow-on-rules.js';
import type { HumanVisits } from './human-visits.js';
import type { AllLandings } from './landing-rows.js';

/** The pages of ai-landing: their visits, and the pages opened next from the same addresses. */

const visitCount = count('Visits.');
const later = 'null while the single requests are being read (data_buffering).';

export const landingPage = z
  .object({
    path: loggedPath,
    visits: visitCount,
    operators: z
      .record(z.string(), count('Visits that its assistants sent.'))
      .openapi({ description: 'Visits by operator.', example: { OpenAI: 12, Perplexity: 3 } }),
    humans_total: count('Human requests of the path from any source, including reloads.'),
    human_visits: count(
      `Visits of people to the page from any source, counted by the same rule as visits that assistants sent; ${later}`,
    ).nullable(),
    ai_share_pct: z
      .number()
      .nullable()
      .openapi({
        description: `Percentage of human_visits that assistants sent. Both are counted from the single requests by the same rule; ${later}`,
      }),
    bounce_proxy_pct: z
      .number()
      .nullable()
      .openapi({
        description: `Percentage of visits after which the address opened no other page within ${FOLLOW_ON_MINUTES} minutes. Excludes visits of addresses that open more than ${MAX_PAGE_VIEWS} pages in an hour or visit more than ${MAX_VISITS} times in half an hour. null if no visit remains, and ${later}`,
      }),
    bounced: count(`Those visits; ${later}`).nullable(),
    next_paths: z
      .array(z.object({ path: loggedPath, visits: count('Addresses that opened it; each is counted once.') }))
      .nullable()
      .openapi({
        description: `The three pages opened most often within ${FOLLOW_ON_MINUTES} minutes after a visit, inside or outside the window; ${later}`,
      }),
    first_seen: instant.openapi({ description: 'First visit inside the window.' }),
    last_seen: instant.openapi({ description: 'Last visit inside the window.' }),
  })
  .openapi('AiLandingPage');

type Page = z.input<typeof landingPage>;

/** A page that was removed, or that assistants link to by a wrong address. */
export const errorPage = z
  .object({
    path: loggedPath,
    landings: count('Landings on an error (4xx, 5xx), counted by the same rule as visits.'),
    last_status: z.int().openapi({ description: 'Status of the last landing.', example: 404 }),
    first_seen: instant.openapi({ description: 'First landing on an error inside the window.' }),
    last_seen: instant.openapi({ description: 'Last landing on an error inside the window.' }),
  })
  .openapi('AiErrorPage');

interface Pages {
  readonly pages: Page[];
  readonly error_pages: z.input<typeof errorPage>[];
}

/** The pages with their human requests; figures from the single requests are null. */
export async function readPages(
  reader: ClickHouseReader,
  scope: Scope,
  { pages, errorPages, operatorsOf }: Pick<AllLandings, 'pages' | 'errorPages' | 'operatorsOf'>,
): Promise<Pages> {
  const humans = await readByTexts(
    pages.map(({ path }) => path),
    (batch) =>
      selectList(reader, scope, {
        name: 'ai_landing.page_humans',
        from: [pathsRollup],
        by: ['path'],
        metrics: ['human_requests'],
        where: [oneOf('path', batch)],
      }),
  );
  const humansOf = new Map(humans.map((row) => [row.path, row.human_requests]));
  return {
    pages: pages.map((row) => ({
      path: row.path,
      visits: row.visits,
      operators: Object.fromEntries(operatorsOf.get(row.path) ?? []),
      humans_total: humansOf.get(row.path) ?? 0,
      human_visits: null,
      ai_share_pct: null,
      bounce_proxy_pct: null,
      bounced: null,
      next_paths: null,
      first_seen: toInstant(row.first_seen),
      last_seen: toInstant(row.last_seen),
    })),
    error_pages: errorPages.map((row) => ({
      path: row.path,
      landings: row.visits,
      last_status: Number(row.latest_status),
      first_seen: toInstant(row.first_seen),
      last_seen: toInstant(row.last_seen),
    })),
  };
}

/** The pages with the figures that are read from the single requests. */
export function withRequests(
  pages: readonly Page[],
  {
    followOn,
    visits,
  }: {
    readonly followOn: ReadonlyMap<string, FollowOn>;
    readonly visits: ReadonlyMap<string, HumanVisits>;
  },
): Page[] {
  return pages.map((page) => {
    const found = followOn.get(page.path) ?? { judged: 0, bounced: 0, next: [] };
    const { human_visits, ai_visits } = visits.get(page.path) ?? { human_visits: 0, ai_visits: 0 };
    return {
      ...page,
      human_visits,
      ai_share_pct: percentOf(ai_visits, human_visits),
      bounce_proxy_pct: found.judged === 0 ? null : percentOf(found.bounced, found.judged),
      bounced: found.bounced,
      next_paths: found.next.map(({ path, visitors }) => ({ path, visits: visitors })),
    };
  });
}
