import { type Block, paragraph, type Section } from '../document.js';
import type { ReportData } from '../report-data.js';
import { percent, shareOf, whole } from '../texts.js';

/** robots.txt and sitemaps. */
export function discovery({ robots, sitemap }: ReportData): Section {
  return {
    id: 'discovery',
    title: 'robots.txt and sitemaps',
    blocks: [...robotsOf(robots), ...pagesOf(sitemap)],
  };
}

const statuses = new Map([
  ['not_fetched_yet', 'It was not fetched yet.'],
  ['fetching_is_off', 'This installation fetches nothing from websites, and nobody has put in a file.'],
  ['found', 'It is there.'],
  ['missing', 'There is none, so everything is allowed.'],
  ['blocked', 'It turned Loglane away, which says nothing of what crawlers get.'],
  ['server_error', 'It is answered with a server error.'],
  ['unreachable', 'It could not be reached.'],
]);

function robotsOf(robots: ReportData['robots']): Block[] {
  if (robots === null)
    return [paragraph('robots.txt: there is more to compare than could be read for this report.')];
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
              : `${whole(rules)} for ${whole(robots.rule_groups.length)} user agents`,
        },
        {
          term: 'Names sitemaps',
          text: robots.sitemaps === null ? 'not known' : whole(robots.sitemaps.length),
        },
        {
          term: 'Fetched against a rule',
          text:
            robots.violations_total === null
              ? 'not judged'
              : `${whole(robots.violations_total)} pages, counted once for each crawler${robots.violations_complete ? '' : ', at least'}`,
        },
        {
          term: 'Changed in the period',
          text: robots.is_new_version ? 'yes' : 'no',
        },
      ],
    },
  ];
}

const reasons = new Map([
  ['not_fetched_yet', 'The sitemaps were not fetched yet.'],
  ['fetching_is_off', 'This installation fetches nothing from websites, and nobody has put in a sitemap.'],
  ['no_sitemap', 'robots.txt names no sitemap, and there is none in the usual places.'],
  ['not_read_yet', 'No sitemap could be read.'],
]);

function pagesOf(sitemap: ReportData['sitemap']): Block[] {
  if (sitemap === null)
    return [paragraph('Sitemaps: there is more to compare than could be read for this report.')];
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
        figure('Pages in sitemaps', all, `search crawlers of ${sitemap.crawl_days} days`),
        figure('Crawled lately', recently_crawled, share(recently_crawled)),
        figure('Crawled, long ago', stale, share(stale)),
        figure('Never crawled', never_crawled, share(never_crawled)),
      ],
    },
    paragraph(
      not_in_sitemap === null
        ? 'Which crawled pages stand in no sitemap is not known: no fetch has read every sitemap to its end.'
        : `${whole(not_in_sitemap)} pages that search crawlers were served stand in no sitemap.`,
    ),
  ];
}
