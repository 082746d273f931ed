import { type Block, paragraph, type Section } from '../document.js';
import type { ReportData } from '../report-data.js';
import { column, dayText, pathText, percent, shareOf, table, whole } from '../texts.js';

const MOST_PAGES = 10;
const TOO_MUCH = 'There is more of it than could be read for this report.';

/** The latest crawl of the site beside what search crawlers fetched. null: no crawl is ready. */
export function site({ siteCrawl, siteAudit }: ReportData): Section | null {
  if (siteCrawl?.available === false) return null;
  const blocks = [...pagesOf(siteCrawl), ...faultsOf(siteAudit)];
  return { id: 'site', title: 'The site, as it was crawled', blocks };
}

function pagesOf(crawl: ReportData['siteCrawl']): Block[] {
  if (crawl === null || crawl.summary === null || crawl.crawl === null)
    return [paragraph(`Pages of the site: ${TOO_MUCH}`)];
  const { summary, ignored, by_depth } = crawl;
  const completedAt = crawl.crawl.completed_at;
  const known = completedAt === null ? '' : `, on ${dayText(Date.parse(completedAt as string))}`;
  const share = (part: number) => `${percent(shareOf(part, summary.indexable_pages))} of those to be listed`;
  const figure = (label: string, value: number, note: string) => ({ label, value: whole(value), note });
  return [
    {
      kind: 'figures',
      figures: [
        figure('Pages of the site', summary.pages_in_crawl, `that a crawl found${known}`),
        figure('To be listed', summary.indexable_pages, 'nothing keeps search engines from it'),
        figure('Fetched by search crawlers', summary.active, share(summary.active)),
        figure('Linked, not fetched', summary.ignored, share(summary.ignored)),
      ],
    },
    paragraph(
      `${whole(summary.orphans)} paths of pages that search crawlers fetched are linked from no page of the crawl.`,
    ),
    table(
      'Pages by links from the home page',
      [
        column('Links away'),
        column('Pages', 'number'),
        column('Fetched', 'number'),
        column('Fetches a page', 'number'),
      ],
      by_depth.map(({ bucket, pages, crawled_pct, hits_per_page }) => [
        bucket,
        whole(pages),
        pages === 0 ? '' : percent(crawled_pct),
        pages === 0 ? '' : hits_per_page.toLocaleString('en-GB', { maximumFractionDigits: 1 }),
      ]),
    ),
    ...(ignored.length === 0
      ? []
      : [
          table(
            'Linked pages that no search crawler fetched',
            [
              column('Page', 'path'),
              column('Links away', 'number'),
              column('Linked from', 'number'),
              column('Shown in results, 28 days', 'number'),
            ],
            ignored
              .slice(0, MOST_PAGES)
              .map(({ path, depth, inlinks, impressions_28d }) => [
                pathText(path),
                depth === null ? '' : whole(depth),
                whole(inlinks),
                impressions_28d === null ? '' : whole(impressions_28d),
              ]),
          ),
        ]),
  ];
}

function faultsOf(audit: ReportData['siteAudit']): Block[] {
  if (audit === null) return [paragraph(`Faults of pages: ${TOO_MUCH}`)];
  if (audit.findings.length === 0) return [paragraph('The audit of the crawl found no fault.')];
  return [
    table(
      'What the audit of the crawl found',
      [
        column('Fault'),
        column('Severity'),
        column('Pages', 'number'),
        column('Fetches by search crawlers', 'number'),
      ],
      audit.findings.map(({ key, severity, count, bot_hits }) => [
        faultText(key),
        severity,
        whole(count),
        whole(bot_hits),
      ]),
    ),
  ];
}

/** The name of a finding of the audit, in words. */
export const faultText = (key: string) => key.replaceAll('_', ' ');
