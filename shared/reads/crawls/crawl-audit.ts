import { z } from '@hono/zod-openapi';
import { answer } from '../answer/answer.js';
import { count, loggedPath } from '../answer/figures.js';
import { moment } from '../answer/instant.js';
import { datedWindow, dateWindow } from '../answer/windows.js';
import { orNull } from '../search/search-figures.js';
import { toMoment } from '../sitemaps/sitemap-membership.js';
import { withLateVerdicts } from '../sql/late-verdicts.js';
import { crawlerPaths, paths } from '../sql/read-tables.js';
import { type AuditRow, readAuditRows, readPathsOf } from './crawl-audit-sql.js';
import {
  crawledUrl,
  crawlHead,
  humanHits,
  noCrawl,
  toCrawlHead,
  verifiedSearchHits,
} from './crawl-figures.js';
import { crawlFindings } from './findings/all-crawl-findings.js';
import { type CrawlFinding, severities } from './findings/finding.js';
import type { ReadCrawl } from './read-crawl.js';

const row = z.object({
  path: loggedPath,
  url: crawledUrl,
  status: z
    .int()
    .nullable()
    .openapi({ description: 'Status of the page in the crawl; null: no answer, or not requested.' }),
  problem: z.string().nullable().openapi({
    description: 'The fault, if the finding covers several.',
    example: 'client_error',
  }),
  value: z
    .int()
    .nullable()
    .openapi({ description: 'The count or measurement that `value_means` of the finding describes.' }),
  text: z
    .string()
    .nullable()
    .openapi({ description: 'The faulty text or address, as `text_means` describes.' }),
  examples: z.array(loggedPath).openapi({
    description: 'Up to three related pages: they link to it, share its text, or are its target.',
  }),
  search_hits: verifiedSearchHits,
  human_hits: humanHits,
  last_search_hit: moment('Time of the last of search_hits; null: none.'),
});

const finding = z.object({
  key: z.enum(crawlFindings.map(({ key }) => key) as [string, ...string[]]),
  severity: z.enum(severities),
  rule: z.string().openapi({ description: 'The pages that the finding lists.' }),
  value_means: z
    .string()
    .nullable()
    .openapi({ description: 'Meaning of `value` in its rows; null: the rows have no value.' }),
  text_means: z
    .string()
    .nullable()
    .openapi({ description: 'Meaning of `text` in its rows; null: the rows have no text.' }),
  count: count('Pages of the finding, listed or not.'),
  bot_hits: count('Sum of their search_hits; a path shared by several pages counts once.'),
  rows: z.array(row).openapi({ description: 'Most search_hits first.' }),
});

export interface CrawlAuditInput {
  /** null: no crawl is ready. */
  readonly crawl: ReadCrawl | null;
  /** Maximum rows of each finding. */
  readonly limit: number;
}

/** Faults of the pages of a crawl, with the requests of crawlers and people for them (spec §4.6). */
export const crawlAudit = answer({
  schema: z.object({
    ...datedWindow,
    ...crawlHead,
    totals: z
      .object({
        high: count('Pages of findings of high severity; one with two findings counts twice.'),
        medium: count('Pages of findings of medium severity.'),
        low: count('Pages of findings of low severity.'),
        bot_hits_on_findings: count('search_hits of all pages with a finding; each path counts once.'),
      })
      .nullable(),
    findings: z.array(finding).openapi({
      description: 'Findings with pages, by severity, then most bot_hits first.',
    }),
  }),
  from: [[crawlerPaths], [paths]],
  async read(reader, scope, { crawl, limit }: CrawlAuditInput) {
    const dated = await dateWindow(reader, scope);
    if (crawl === null) return { ...dated.fields, ...noCrawl, totals: null, findings: [] };
    const question = { scope: await withLateVerdicts(reader, scope), crawlId: crawl.crawlId };
    const rows = await readAuditRows(reader, question, limit);
    const pathOf = await readPathsOf(
      reader,
      question,
      rows.flatMap(({ examples }) => examples),
    );
    const findings = crawlFindings
      .map((one) =>
        toFinding(
          one,
          rows.filter((each) => each.finding === one.key),
          pathOf,
        ),
      )
      .filter((one) => one.count > 0)
      .toSorted(
        (a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity) || b.bot_hits - a.bot_hits,
      );
    const pagesOf = (severity: string) =>
      findings.reduce((sum, one) => sum + (one.severity === severity ? one.count : 0), 0);
    return {
      ...dated.fields,
      ...toCrawlHead(crawl),
      totals: {
        ...{ high: pagesOf('high'), medium: pagesOf('medium'), low: pagesOf('low') },
        bot_hits_on_findings: rows[0]?.all_hits ?? 0,
      },
      findings,
    };
  },
});

function toFinding(
  { key, severity, rule, value, text }: CrawlFinding,
  rows: readonly AuditRow[],
  pathOf: ReadonlyMap<number, string>,
): z.input<typeof finding> {
  return {
    ...{ key, severity, rule, value_means: value, text_means: text },
    count: rows[0]?.pages ?? 0,
    bot_hits: rows[0]?.bot_hits ?? 0,
    rows: rows.map((each) => ({
      path: each.path,
      url: each.url,
      status: each.status === 0 ? null : each.status,
      problem: orNull(each.problem),
      value: value === null ? null : each.value,
      text: orNull(each.text),
      examples: each.examples.flatMap((page) => pathOf.get(page) ?? []),
      search_hits: each.search_hits,
      human_hits: each.human_hits,
      last_search_hit: toMoment(each.last_search_ms || null),
    })),
  };
}
