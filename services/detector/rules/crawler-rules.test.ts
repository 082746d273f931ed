import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { botOf } from '../../../test/harness/detector/counts.js';
import {
  crawlerOf,
  END,
  memoryOf,
  usualOf,
  websiteOf,
  windowOf,
} from '../../../test/harness/detector/view.js';
import type { BotCounts } from '../counts/span-counts.js';
import type { CrawlerMemory, UsualOfCrawler } from '../memory/memory.js';
import { crawlerBlocked } from './crawler-blocked.js';
import { crawlerDrop } from './crawler-drop.js';
import { crawlerErrors } from './crawler-errors.js';
import type { Rule } from './rule.js';

const found = (rule: Rule, bots: Partial<BotCounts>[], usual: Partial<UsualOfCrawler> = {}) => {
  const google = { name: 'Googlebot', family: 'Google', verification: 'verified', requests: 60 };
  const window = windowOf({ byBot: bots.map((bot) => botOf({ ...google, ...bot })) }, { minutes: 60 });
  const memory = memoryOf({ usualOf: () => usualOf(usual) });
  return rule.join!(rule.find(window, websiteOf(window, { memory })));
};

describe('crawler_blocked', () => {
  it('names the crawler, the refused share and an example', () => {
    expect(found(crawlerBlocked, [{ rejected: 50, samplePath: '/shop' }])).toMatchObject([
      {
        subject: 'Googlebot',
        severity: 'critical',
        details: {
          crawler_family: 'Google',
          current_share_pct: 83.3,
          baseline_share_pct: 0.5,
          rejected: 50,
          sample_paths: ['/shop'],
        },
      },
    ]);
  });

  it('reports a crawler that is always refused while another crawler of its operator is served often', () => {
    const openAi = { family: 'OpenAI', category: 'ai' };
    const served = { ...openAi, name: 'ChatGPT-User', requests: 250 };
    const refused = { ...openAi, name: 'GPTBot', requests: 10, rejected: 10 };
    expect(found(crawlerBlocked, [served, refused])).toMatchObject([
      {
        subject: 'GPTBot',
        partOf: 'OpenAI',
        details: { crawlers: ['GPTBot'], current_share_pct: 100, requests: 10 },
      },
    ]);
  });

  it('joins more than five crawlers in one alert', () => {
    const many = Array.from({ length: 6 }, (_, index) => ({ name: `Google-${index}`, rejected: 45 }));
    expect(found(crawlerBlocked, [...many, {}])).toMatchObject([
      {
        subject: '',
        severity: 'critical',
        details: {
          crawlers: many.map(({ name }) => name),
          ...{ current_value: 270, requests: 360, current_share_pct: 75, rejected: 270 },
        },
      },
    ]);
    expect(found(crawlerBlocked, many.slice(1))).toHaveLength(5);
  });

  it('ignores a crawler that was always refused, an impostor, and a few refusals', () => {
    expect(found(crawlerBlocked, [{ rejected: 60 }], { rejectedShare: 0.9 })).toEqual([]);
    expect(found(crawlerBlocked, [{ rejected: 50, verification: 'spoofed' }])).toEqual([]);
    expect(found(crawlerBlocked, [{ rejected: 7 }])).toEqual([]);
  });

  it('ignores a crawler that is known for less than a day or by fewer than 200 requests', () => {
    expect(found(crawlerBlocked, [{ rejected: 50 }], { firstSeen: END - 20 * HOUR_MS })).toEqual([]);
    expect(found(crawlerBlocked, [{ rejected: 50 }], { requests: 150 })).toEqual([]);
  });
});

describe('crawler_errors', () => {
  it('counts pages not found and errors of the server', () => {
    expect(found(crawlerErrors, [{ notFound: 15, status5xx: 15 }])).toMatchObject([
      { subject: 'Googlebot', details: { current_value: 30, current_share_pct: 50 } },
    ]);
  });

  it('ignores refusals, and a share below 15 %', () => {
    expect(found(crawlerErrors, [{ rejected: 50 }])).toEqual([]);
    expect(found(crawlerErrors, [{ requests: 600, notFound: 85 }])).toEqual([]);
  });
});

describe('crawler_drop', () => {
  const away = (awayMs: number, known: Partial<CrawlerMemory> = {}, isDelivered = true) => {
    const window = windowOf({}, { minutes: 60, isDelivered });
    const memory = memoryOf({ crawlers: [['Google', crawlerOf({ awayMs, ...known })]] });
    return crawlerDrop.find(window, websiteOf(window, { memory }));
  };

  it('reports how long a crawler has been away, and its longest usual absence', () => {
    expect(away(90 * MINUTE_MS)).toMatchObject([
      { subject: 'Google', details: { away_minutes: 90, longest_usual_minutes: 40 } },
    ]);
  });

  it('joins more than five families in one alert', () => {
    const window = windowOf({}, { minutes: 60 });
    const many = Array.from({ length: 6 }, (_, index): [string, CrawlerMemory] => [
      `Family${index}`,
      crawlerOf({ names: [`Bot${index}`], awayMs: (90 + index) * MINUTE_MS }),
    ]);
    const of = (crawlers: typeof many) =>
      crawlerDrop.join!(crawlerDrop.find(window, websiteOf(window, { memory: memoryOf({ crawlers }) })));
    expect(of(many)).toMatchObject([
      {
        subject: '',
        message: expect.stringContaining('6 operators have been away for 90 minutes or more'),
        details: { away_minutes: 90, crawler_families: many.map(([family]) => family) },
      },
    ]);
    expect(of(many.slice(1))).toHaveLength(5);
  });

  it('compares with the crawler’s own usual absence', () => {
    expect(away(70 * MINUTE_MS)).toEqual([]);
    expect(away(90 * MINUTE_MS, { usualAwayMs: 60 * MINUTE_MS })).toEqual([]);
    expect(away(90 * MINUTE_MS, { usualAwayMs: undefined })).toEqual([]);
  });

  it('ignores undelivered windows, crawlers that are not of search engines, and rare visitors', () => {
    expect(away(90 * MINUTE_MS, {}, false)).toEqual([]);
    expect(away(90 * MINUTE_MS, { isSearch: false })).toEqual([]);
    expect(away(90 * MINUTE_MS, { visitedIntervals: 99 })).toEqual([]);
  });
});
