import { DAY_MS } from '../../../../shared/durations.js';
import { robots } from '../../../../shared/reads/robots/robots.js';
import { pageImportance } from '../../../../shared/reads/seo/page-importance.js';
import { sitemapCoverage } from '../../../../shared/reads/sitemaps/sitemap-coverage.js';
import type { Scope } from '../../../../shared/reads/sql/scope.js';
import type { ClickHouseReader } from '../../../../shared/store/client.js';
import { type Absent, absent } from '../facts/check.js';
import type { RobotsFacts, SitemapFacts } from '../facts/facts.js';

/** The facts that other jobs have stored about the website. They are not fetched again. */

interface Asked {
  readonly domain: string;
  readonly fetchesWebsites: boolean;
}

const MOST_EXAMPLES = 5;
const SAMPLE = 100;

/** Why a file is missing. @param what `robots.txt` */
function notFetched(what: string, status: keyof typeof NOT_FETCHED): Absent {
  const why = absent(`${what}: ${NOT_FETCHED[status]}`, 'not_checked');
  return status === 'not_fetched_yet' ? { ...why, isToCome: true } : why;
}

const NOT_FETCHED = {
  not_fetched_yet: 'It was not fetched yet.',
  fetching_is_off:
    'This installation fetches nothing from websites, and no file of this website was uploaded.',
} as const;

/** @throws as `ClickHouseReader.read` */
export async function gatherRobots(
  reader: ClickHouseReader,
  scope: Scope,
  asked: Asked,
): Promise<RobotsFacts | Absent> {
  const answer = await robots.read(reader, scope, asked);
  const { status } = answer;
  if (status === 'not_fetched_yet' || status === 'fetching_is_off') return notFetched('robots.txt', status);
  return {
    status,
    httpStatus: answer.http_status,
    problem: answer.problem,
    content: answer.raw_content ?? (answer.rule_groups === null ? null : ''),
    isTruncated: answer.is_truncated,
    violations:
      answer.violations === null || answer.judged_since === null
        ? null
        : {
            total: answer.violations_total ?? 0,
            judgedSince: Date.parse(answer.judged_since),
            isComplete: answer.violations_complete,
            bots: Object.entries(answer.violation_summary ?? {})
              .map(([bot, { total_requests, unique_paths }]) => ({
                bot,
                requests: total_requests,
                paths: unique_paths,
              }))
              .sort((one, other) => other.requests - one.requests)
              .slice(0, MOST_EXAMPLES),
            examples: answer.violations.slice(0, MOST_EXAMPLES).map(({ bot_name, path, requests, rule }) => {
              return { bot: bot_name, path: path.slice(0, 500), requests, rule: rule.slice(0, 500) };
            }),
          },
  };
}

export interface GatheredSitemaps {
  readonly facts: SitemapFacts | Absent;
  /** Listed URLs, other ones each day. */
  readonly sample: readonly string[];
}

/** @throws as `ClickHouseReader.read` */
export async function gatherSitemaps(
  reader: ClickHouseReader,
  { websiteId, now }: { readonly websiteId: string; readonly now: number },
  asked: Asked,
): Promise<GatheredSitemaps> {
  const answer = await sitemapCoverage.read(
    reader,
    { websiteId, now },
    {
      ...asked,
      ...{ status: 'all', sort: 'first_seen', descending: true, page: 1, page_size: SAMPLE },
    },
  );
  const { snapshot, reason, totals } = answer;
  if (snapshot === null) {
    const why = reason === 'fetching_is_off' ? reason : 'not_fetched_yet';
    return { facts: notFetched('Sitemaps', why), sample: [] };
  }
  const urls = answer.urls ?? [];
  return {
    facts: {
      state: answer.available ? 'read' : reason === 'no_sitemap' ? 'none' : 'unreadable',
      complete: snapshot.fetch_complete,
      incompleteReason: snapshot.incomplete_reason,
      files: snapshot.files,
      failedFiles: snapshot.failed_files,
      foreignUrls: snapshot.foreign_urls,
      invalidUrls: snapshot.invalid_urls,
      problems: snapshot.problems.slice(0, MOST_EXAMPLES).map(({ sitemap, problem, message }) => {
        return { sitemap: sitemap.slice(0, 500), code: problem, message };
      }),
      listed: totals.all,
      neverCrawled: totals.never_crawled,
      notInSitemap: totals.not_in_sitemap,
      lastmods: urls.map(({ lastmod }) => (lastmod === null ? null : Date.parse(lastmod))),
    },
    sample: rotated(
      urls.map(({ url }) => url),
      Math.floor(now / DAY_MS),
    ),
  };
}

/** Begins at another entry each day, so that over time all are requested. */
function rotated<T>(list: readonly T[], day: number): T[] {
  const start = list.length === 0 ? 0 : (day * MOST_EXAMPLES) % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}

/** Paths of the pages that search engines fetch most, without the home page; null before the first daily build. @throws as `ClickHouseReader.read` */
export async function gatherTopPaths(
  reader: ClickHouseReader,
  asked: { readonly websiteId: string; readonly now: number },
): Promise<{ readonly paths: readonly string[] | null }> {
  const { pages } = await pageImportance.read(reader, asked, { limit: MOST_EXAMPLES });
  if (pages === null) return { paths: null };
  return { paths: pages.map(({ path }) => path).filter((path) => path.startsWith('/') && path !== '/') };
}
