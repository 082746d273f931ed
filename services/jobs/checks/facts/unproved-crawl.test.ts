import { describe, expect, test } from 'vitest';
import { gathered, logs } from '../../../../test/harness/jobs/check-facts.js';
import { checks } from '../all-checks.js';
import type { CrawlFacts } from './facts.js';

/** Checks of search crawlers' requests, without verified requests. */

const resting = [
  'search_turned_away',
  'crawler_server_errors',
  'crawler_not_found',
  'crawl_redirects',
  'crawl_parameters',
  'crawler_drop',
  'status_consistency',
  'crawler_response_time',
  'slow_templates',
  'sitemap_crawled',
  'sitemap_complete',
];
const judge = (id: string, crawl: Partial<CrawlFacts>) =>
  checks.find((check) => check.id === id)!.judge(gathered({ logs: logs({ crawl }) })).verdict;

describe.each(resting)('%s', (id) => {
  test('is unknown if no request is verified', () => {
    expect(judge(id, { basis: 'unproved', requests: 522, undecided: 522 })).toBe('unknown');
  });

  test('is unknown if most claims are undecided', () => {
    expect(judge(id, { requests: 300, undecided: 522 })).toBe('unknown');
  });

  test('is judged if most claims are verified', () => {
    expect(judge(id, { requests: 1_000, undecided: 522 })).toBe('pass');
  });
});
