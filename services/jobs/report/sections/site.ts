import { type Block, paragraph, type Section } from '../model/document.js';
import type { ReportData } from '../model/report-data.js';
import { column, dayText, pathText, percent, shareOf, table, whole } from '../model/texts.js';

const MOST_PAGES = 10;
const TOO_MUCH = 'there is too much data for one report.';

/** The latest crawl of the site compared with the fetches of search crawlers. null: no crawl is ready. */
export function site({ siteCrawl, siteAudit }: ReportData): Section | null {
  if (siteCrawl?.available === false) return null;
  const blocks = [...pagesOf(siteCrawl), ...faultsOf(siteAudit)];
  return { id: 'site', title: 'Site crawl', blocks };
}

function pagesOf(crawl: ReportData['siteCrawl']): Block[] {
  if (crawl === null || crawl.summary === null || crawl.crawl === null)
    return [paragraph(`Pages of the site: ${TOO_MUCH}`)];
  const { summary, ignored, by_depth } = crawl;
  const completedAt = crawl.crawl.completed_at;
  const known = completedAt === null ? '' : ` on ${dayText(Date.parse(completedAt as string))}`;
  const share = (part: number) => `${percent(shareOf(part, summary.indexable_pages))} of indexable pages`;
  const figure = (label: string, value: number, note: string) => ({ label, value: whole(value), note });
  return [
    {
      kind: 'figures',
      figures: [
        figure('Pages of the site', summary.pages_in_crawl, `crawled${known}`),
        figure('Indexable', summary.indexable_pages, 'search engines may list them'),
        figure('Fetched by search crawlers', summary.active, share(summary.active)),
        figure('Linked, not fetched', summary.ignored, share(summary.ignored)),
      ],
    },
    paragraph(`Search crawlers fetched ${whole(summary.orphans)} pages that no page of the crawl links to.`),
    table(
      'Pages by distance from the home page',
      [
        column('Clicks'),
        column('Pages', 'number'),
        column('Fetched', 'number'),
        column('Fetches per page', 'number'),
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
              column('Clicks from home', 'number'),
              column('Linked from', 'number'),
              column('Impressions, 28 days', 'number'),
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
  if (audit.findings.length === 0) return [paragraph('The audit found no fault.')];
  return [
    table(
      'Faults found by the audit',
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

/** The name of an audit finding, in words. */
export const faultText = (key: string) => key.replaceAll('_', ' ');
