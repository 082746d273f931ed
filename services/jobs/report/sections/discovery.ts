import { type Block, paragraph, type Section } from '../model/document.js';
import type { ReportData } from '../model/report-data.js';
import { counted, percent, shareOf, whole } from '../model/texts.js';

/** robots.txt and sitemaps. */
export function discovery({ robots, sitemap }: ReportData): Section {
  return {
    id: 'discovery',
    title: 'robots.txt and sitemaps',
    blocks: [...robotsOf(robots), ...pagesOf(sitemap)],
  };
}

const statuses = new Map([
  ['not_fetched_yet', 'Not fetched yet'],
  [
    'fetching_is_off',
    'Not fetched: this installation fetches nothing from websites, and no file was uploaded',
  ],
  ['found', 'Found'],
  ['missing', 'Missing, so crawlers may fetch everything'],
  ['blocked', 'The website blocked Loglane; search crawlers may get another response'],
  ['server_error', 'Server error'],
  ['unreachable', 'Not reached by Loglane'],
]);

function robotsOf(robots: ReportData['robots']): Block[] {
  if (robots === null) return [paragraph('robots.txt: there is too much data for one report.')];
  const rules = (robots.rule_groups ?? []).reduce((sum, group) => sum + group.rules.length, 0);
  return [
    {
      kind: 'terms',
      items: [
        { term: 'robots.txt', text: statuses.get(robots.status) ?? robots.status },
        {
          term: 'Rules in force',
          text:
            robots.rule_groups === null
              ? 'not known'
              : `${counted(rules, 'rule', 'rules')} for ${counted(robots.rule_groups.length, 'user agent', 'user agents')}`,
        },
        {
          term: 'Sitemaps named',
          text: robots.sitemaps === null ? 'not known' : whole(robots.sitemaps.length),
        },
        {
          term: 'Disallowed fetches',
          text:
            robots.violations_total === null
              ? 'not known'
              : `${robots.violations_complete ? '' : 'at least '}${counted(robots.violations_total, 'page', 'pages')}, counted once for each crawler`,
        },
        {
          term: 'Changed in the period',
          text: robots.rule_groups === null ? 'not known' : robots.is_new_version ? 'yes' : 'no',
        },
      ],
    },
  ];
}

const reasons = new Map([
  ['not_fetched_yet', 'The sitemaps were not fetched yet.'],
  ['fetching_is_off', 'This installation fetches nothing from websites, and no sitemap was uploaded.'],
  ['no_sitemap', 'robots.txt names no sitemap, and none was found at the usual addresses.'],
  ['not_read_yet', 'Loglane could not read a sitemap.'],
]);

function pagesOf(sitemap: ReportData['sitemap']): Block[] {
  if (sitemap === null) return [paragraph('Sitemaps: there is too much data for one report.')];
  const { all, never_crawled, recently_crawled, stale, not_in_sitemap } = sitemap.totals;
  if (!sitemap.available || all === null)
    return [paragraph(reasons.get(sitemap.reason ?? '') ?? 'The pages of the sitemaps are not known.')];
  const figure = (label: string, value: number | null, note: string) => {
    return { label, value: value === null ? 'not known' : whole(value), note };
  };
  const share = (part: number | null) => `${percent(shareOf(part ?? 0, all))} of them`;
  return [
    {
      kind: 'figures',
      figures: [
        figure('Pages in sitemaps', all, `crawling of ${sitemap.crawl_days} days`),
        figure('Crawled recently', recently_crawled, share(recently_crawled)),
        figure('Not crawled recently', stale, share(stale)),
        figure('Never crawled', never_crawled, share(never_crawled)),
      ],
    },
    paragraph(
      not_in_sitemap === null
        ? 'It is not known which crawled pages are in no sitemap, because not every sitemap was read completely.'
        : `Search crawlers were served ${counted(not_in_sitemap, 'page that is', 'pages that are')} in no sitemap.`,
    ),
  ];
}
