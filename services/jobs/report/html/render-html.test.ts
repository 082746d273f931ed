import { describe, expect, test } from 'vitest';
import { hostileTexts } from '../../../../test/harness/jobs/hostile-report.js';
import { type Changes, reportData } from '../../../../test/harness/jobs/report-data.js';
import { composeReport } from '../compose-report.js';
import { findAll } from '../findings/all-report-findings.js';
import { renderHtml } from './render-html.js';

/** The page of a report: its content and its order. */

function htmlOf(changes: Changes, preparedFor: string | null = null): string {
  const data = reportData(changes);
  return renderHtml(composeReport(data, findAll(data), preparedFor));
}

/** Its headings in order: `1 shop.example`. */
const headingsOf = (html: string) =>
  [...html.matchAll(/<h([1-6])[^>]*>(.*?)(?: <span class="level">(\w+)<\/span>)?<\/h\1>/g)].map(
    ([, level, text, impact]) => `${level} ${text}${impact === undefined ? '' : ` (${impact})`}`,
  );

const shown = { impressions: 10, clicks: 1, ctr: 0.1, position: null };

/** At least one finding of every impact. @param text a foreign text for all places that may have one */
const troubled = (text: string): Changes => ({
  domain: text,
  robots: { status: 'server_error', problem: text },
  crawl: {
    notFound: 300,
    redirected: 150,
    templates: [{ pattern: text, meanMs: 1_500, p75Ms: 1_500, requests: 20 }],
  },
  sitemap: { urls: [{ path: text, first_seen: null }], totals: { never_crawled: 100, stale: 100 } },
  crawlersMet: { notFoundPaths: [{ path: text, requests: 1 }] },
  aiLanding: {
    pages: [{ path: text, visits: 1, operators: { [text]: 1 } }],
    error_pages: [{ path: text, landings: 1 }],
  },
  recommendations: {
    ips_to_block: [{ ip: text, as_name: text, reason_badges: [text], request_count: 1 }],
    paths_404: [{ path: text, request_count: 1 }],
  },
  alerts: {
    alerts: [
      {
        created_at: '2026-11-20T00:00:00.000Z',
        ...{ severity: 'critical', message: text, acknowledged: false, details: { at: text } },
      },
    ],
  },
  checks: { checks: [{ id: text, title: text, verdict: 'fail', weight: 5, evidence: { note: text } }] },
  aiPages: { pages: [{ path: text, requests: 50, unique_bots: 1, status_4xx: 50, status_5xx: 0 }] },
  siteCrawl: {
    summary: { ignored: 90 },
    ignored: [{ path: text, depth: null, inlinks: 1, impressions_28d: null }],
  },
  siteAudit: {
    findings: [
      {
        ...{ key: 'broken_links', severity: 'high', count: 1, bot_hits: 1 },
        rows: [{ path: text, search_hits: 1 }],
      },
    ],
  },
  searchResults: {
    ...{ available: true, source: text },
    window: { start: '2026-11-14', end: '2026-11-20', days: 7 },
    totals: { ...shown, days_with_data: 7 },
    ...{ top_queries: [{ query: text, ...shown }], top_pages: [{ path: text, ...shown }] },
  },
});

const HEADINGS = [
  '1 shop.example',
  '2 Summary',
  '2 Findings',
  '3 1. robots.txt is not available (high)',
  '3 2. Search crawlers request pages that do not exist (medium)',
  '3 3. AI crawlers get errors on the pages that they request most (medium)',
  '3 4. Critical incidents in the period (medium)',
  '3 5. Nightly checks fail (medium)',
  '3 6. Groups of pages are slow for search crawlers (medium)',
  '3 7. Search crawlers did not fetch some pages of the sitemaps (medium)',
  '3 8. The site crawl found severe faults (low)',
  '3 9. Search crawlers do not fetch some linked pages (low)',
  '3 10. Search crawlers are redirected often (low)',
  '3 11. Search crawlers return to some pages too rarely (low)',
  '3 12. Harmful addresses are let in (low)',
  '2 Traffic',
  '2 Search crawlers',
  '2 AI crawlers and assistants',
  '2 Crawlers that are let in or blocked',
  '2 robots.txt and sitemaps',
  '2 Site crawl',
  '2 Search results',
  '2 Nightly checks and alerts',
  '2 How this was measured',
];

describe('the page', () => {
  test('has its sections in order, findings by impact, and a contents list that links to each section', () => {
    const html = htmlOf(troubled('shop.example'));
    expect(headingsOf(html)).toEqual(HEADINGS);
    const ids = [...html.matchAll(/<section id="([^"]+)" aria-labelledby="([^"]+)"><h2 id="\2">/g)];
    const links = [...html.matchAll(/<a href="#([^"]+)">/g)].map(([, id]) => id);
    expect(links).toEqual(ids.map(([, id]) => id));
    expect(links).toHaveLength(11);
  });

  test.each(hostileTexts)('with %j in every foreign text has the same elements', (text) => {
    const elements = (html: string) =>
      html
        .replace(/<style>.*?<\/style>/s, '')
        .match(/<\/?[a-z][a-z0-9]*/g)!
        .filter((tag) => tag !== '<br');
    const html = htmlOf(troubled(text), text);
    expect(elements(html)).toEqual(elements(htmlOf(troubled('shop.example'), 'Acme')));
    expect(headingsOf(html).slice(1)).toEqual(HEADINGS.slice(1));
  });

  test('of a website without data says so, draws nothing, and reports nothing as passed', () => {
    const html = htmlOf({
      summary: { total_requests: 0, data_since: null, complete_since: null },
      traffic: { daily: [] },
      health: { data_flowing: false, last_received_at: null },
      checks: { evaluated: false, checks: [], summary: {} },
      robots: { status: 'not_fetched_yet', rule_groups: null, sitemaps: null, violations_total: null },
      sitemap: {
        ...{ available: false, reason: 'not_fetched_yet', urls: null, snapshot: null },
        totals: { all: null, never_crawled: null, stale: null, recently_crawled: null, not_in_sitemap: null },
      },
      recommendations: null,
      siteCrawl: { available: false, crawl: null, summary: null },
    });
    expect(headingsOf(html)).toEqual([
      '1 shop.example',
      '2 Findings',
      '2 robots.txt and sitemaps',
      '2 Nightly checks and alerts',
      '2 How this was measured',
    ]);
    expect(html).toContain('No request of this website is stored for the period');
    expect(html).toContain('The nightly checks have not run yet. This does not count as passed.');
    expect(html).toContain('Not fetched yet');
    expect(html).toContain('No request of this website is stored.');
    expect(html).not.toMatch(/<svg|<article|NaN|undefined|null|Infinity|No problem was found/);
  });

  test('on paper has no list of links, keeps each finding with its heading, and repeats the heads of tables', () => {
    const [, style] = /<style>(.*?)<\/style>/s.exec(htmlOf({}))!;
    const print = style!.slice(style!.indexOf('@media print'));
    expect(print).toContain('@page{size:A4');
    expect(print).toContain('nav{display:none}');
    expect(print).toMatch(/h2,h3,caption,figcaption\{break-after:avoid\}/);
    expect(print).toContain('thead{display:table-header-group}');
    const depth = [...style!].reduce((open, mark) => open + (mark === '{' ? 1 : mark === '}' ? -1 : 0), 0);
    expect(depth).toBe(0);
  });
});
