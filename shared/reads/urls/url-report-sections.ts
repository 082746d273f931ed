import { z } from '@hono/zod-openapi';
import { readSourceSync } from '../../connections/source-syncs.js';
import { PublicError } from '../../errors.js';
import type { ClickHouseReader } from '../../store/client.js';
import { ReadEndedError, StoreTimeoutError, StoreUnavailableError } from '../../store/store-errors.js';
import { analyticsReasons, analyticsWindow, currency, pageFigures } from '../analytics/analytics-figures.js';
import { measurementGap } from '../analytics/measurement-gap.js';
import { loggedPath } from '../answer/figures.js';
import { moment } from '../answer/instant.js';
import { lastInspection } from '../search/inspections.js';
import type { SearchConnection } from '../search/search-connection.js';
import { indexStatus, orNull, toIndexStatus, toPosition } from '../search/search-figures.js';
import { pageSearches, readPageSearches } from '../search/search-queries.js';
import { toMoment } from '../sitemaps/sitemap-membership.js';

/**
 * Sections of a URL's report from sources besides the logs: the crawl of the website, the search engine's console and web analytics. If
 * such a source is not connected, its section reports that, and all its figures are null.
 */

const available = z.boolean().openapi({ description: 'false: see reason; then all figures are null.' });

const reason = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names).nullable().openapi({ description: 'Why it is not available.' });

const text = (description: string) => z.string().nullable().openapi({ description });
const whole = (description: string) => z.int().nullable().openapi({ description });
const fraction = (description: string) => z.number().nullable().openapi({ description });
const flag = (description: string) => z.boolean().nullable().openapi({ description });

/** Linking pages in a report. */
export const MOST_LINKING = 20;

export const urlCrawl = z
  .object({
    available,
    reason: reason(['no_crawl', 'missing_results']),
    in_crawl: flag('Whether the crawl found the URL.'),
    crawl_id: text('The latest crawl that is ready.'),
    completed_at: moment('When it ended.'),
    status: whole('Status of the page in the crawl.'),
    depth: whole('Links from the home page.'),
    inlinks: whole('Links to the URL from the website.'),
    outlinks_internal: whole(
      'Other pages of the website that it links or redirects to, like `outlinks` of crawl-links.',
    ),
    pagerank: fraction('0 to 1 within the website; the page with the highest rank has 1.'),
    indexable: flag('Whether search engines may list it.'),
    canonical: text('The canonical URL that the page names.'),
    redirect_to: text('Redirect target.'),
    linked_from: z
      .array(loggedPath)
      .nullable()
      .openapi({
        description: `Pages of the website that link to it, highest PageRank first, at most ${MOST_LINKING}; null: the crawl did not find the URL. A crawl that was uploaded without links has none.`,
      }),
    findings: z
      .array(
        z.object({
          key: z.string().openapi({ description: 'As in /crawl-audit.', example: 'thin_pages' }),
          problem: z.string().openapi({ description: 'The fault; empty if the finding has only one.' }),
        }),
      )
      .nullable()
      .openapi({
        description: 'Findings of the crawl about the page; null: the crawl did not find the URL.',
      }),
  })
  .openapi({ description: 'Result of the crawl of the website.' });

export const urlIndexStatus = z
  .object({
    available: z.boolean().openapi({
      description:
        'false: see reason; then all figures are null, except those of searches if the reason is not_inspected.',
    }),
    reason: reason(['gsc_not_connected', 'not_inspected', 'lookup_failed']),
    index_status: indexStatus.nullable(),
    index_status_reason: text('The search engine’s reason for the status.'),
    inspection_verdict: text('Verdict of the inspection.'),
    inspected_at: moment('Time of the inspection.'),
    inspected_url: text('The inspected URL.'),
    engine_canonical: text('The canonical URL chosen by the search engine.'),
    impressions_28d: whole('Impressions in 28 days.'),
    clicks_28d: whole('Clicks in 28 days.'),
    avg_position: fraction('Mean position in the results.'),
    ...pageSearches,
  })
  .openapi({ description: 'Data of the search engine, if its console is connected.' });

function asNullable<Shape extends Record<string, z.ZodType>>(shape: Shape) {
  const fields = Object.entries(shape).map(([name, field]) => [name, field.nullable()]);
  return Object.fromEntries(fields) as { [Name in keyof Shape]: z.ZodNullable<Shape[Name]> };
}

export const urlAnalytics = z
  .object({
    available,
    reason: reason([...analyticsReasons, 'lookup_failed']),
    currency,
    window: analyticsWindow.nullable().openapi({ description: 'The counted days.' }),
    ...asNullable(pageFigures),
    measurement_gap: measurementGap.openapi({
      description: 'Analytics compared with logs, for this page only.',
    }),
  })
  .openapi({ description: 'Figures of web analytics, if connected.' });

/**
 * A failure has the reason `lookup_failed`, and the rest of the report is complete.
 * @param connection null: the website has no search-performance source.
 * @throws if a repeat may succeed (isTemporary)
 */
export async function readIndexStatus(
  reader: ClickHouseReader,
  connection: SearchConnection | null,
  path: string,
): Promise<z.input<typeof urlIndexStatus>> {
  if (connection === null) return noIndexStatus('gsc_not_connected');
  try {
    const sync = await readSourceSync(reader, connection);
    const hasData = sync?.dataThrough != null;
    const inspections = lastInspection(connection, path);
    const searches = await readPageSearches(
      reader,
      { connection, path, sync: hasData ? sync : null },
      inspections,
    );
    const [inspection] = searches.other;
    return {
      ...noIndexStatus('not_inspected'),
      ...(hasData && {
        impressions_28d: searches.total.impressions,
        clicks_28d: searches.total.clicks,
        avg_position: toPosition(searches.total.position),
        ...searches.fields,
      }),
      ...(inspection !== undefined && {
        available: true,
        reason: null,
        index_status: toIndexStatus(inspection),
        index_status_reason: orNull(inspection.coverageState),
        inspection_verdict: orNull(inspection.verdict),
        inspected_at: toMoment(inspection.inspectedAt),
        inspected_url: orNull(inspection.url),
        engine_canonical: orNull(inspection.engineCanonical),
      }),
    };
  } catch (error) {
    if (isTemporary(error)) throw error;
    return noIndexStatus('lookup_failed');
  }
}

function noIndexStatus(
  reason: 'gsc_not_connected' | 'not_inspected' | 'lookup_failed',
): z.input<typeof urlIndexStatus> {
  return {
    ...{ available: false, index_status: null, index_status_reason: null, inspection_verdict: null },
    ...{ inspected_at: null, inspected_url: null, engine_canonical: null, impressions_28d: null },
    ...{ clicks_28d: null, avg_position: null, top_queries: null, daily: null },
    reason,
  };
}

/**
 * Whether a section was not read because of the load or the caller, so that a repeat may succeed. Such an answer must fail, because answers
 * are cached.
 */
export function isTemporary(error: unknown): boolean {
  return [PublicError, ReadEndedError, StoreTimeoutError, StoreUnavailableError].some(
    (kind) => error instanceof kind,
  );
}
