import { describe, expect, it } from 'vitest';
import type { Segment } from '../../../shared/control/domain/model.js';
import { testSegment } from '../../../test/harness/test-segment.js';
import { operations } from '../operations/all-operations.js';
import type { WebsiteContext, WebsiteRead } from './operation.js';
import { queryOf } from './routes.js';

/** Every read with data_buffering, called while its query is running: its answer, and the key of its question. */

const NOW = Date.UTC(2026, 10, 3, 14, 37);

const segment = testSegment({ id: 'seg_1', rules: [{ type: 'prefix', value: '/products/' }] });

interface Asked {
  websiteId?: string;
  now?: number;
  given?: Record<string, string>;
  segments?: readonly Segment[];
}

/** A call while every long read is still running and the store refuses all others. */
async function ask(operation: WebsiteRead, asked: Asked = {}) {
  const { websiteId = 'shop', now = NOW, given = { segment: 'seg_1' }, segments = [segment] } = asked;
  const keys: string[] = [];
  const own = segments.map((each) => ({ ...each, websiteId }));
  const context = {
    website: { id: websiteId },
    now,
    services: {
      reader: { read: () => Promise.reject(new Error('asked at once')) },
      aiDetection: { referrerHosts: [], utmSources: [], operators: ['OpenAI'] },
      control: {
        segment: (_websiteId: string, id: string) => own.find((each) => each.id === id) ?? null,
        state: () => ({
          segments: { by: () => own },
          connections: { get: () => undefined },
          crawls: { by: () => [] },
        }),
      },
      slowReads: {
        isFinished: () => false,
        answer: async (key: string) => {
          keys.push(key);
          return { ready: false };
        },
      },
    },
  } as unknown as WebsiteContext;
  const answer = await operation.run(queryOf(operation).parse(given) as never, context);
  return { answer, key: keys.join() };
}

const takesSegment = (operation: (typeof operations)[number]): operation is WebsiteRead =>
  'segment' in queryOf(operation).shape;
const segmentReads = operations.filter(takesSegment);
/** All except /url, whose other sections are returned at once (test/truth/url-reads.int.test.ts). */
const wholeReads = segmentReads.filter(({ path }) => path !== '/url');
const breakdown = operations.find(({ id }) => id === 'getSegmentsBreakdown') as WebsiteRead;

describe('segment', () => {
  it('is offered by exactly the reads that apply it (spec §2.1)', () => {
    expect(segmentReads.map(({ path }) => path)).toEqual([
      '/summary',
      '/traffic',
      '/bots',
      '/bots/access',
      '/paths',
      '/status-codes',
      '/referrers',
      '/devices',
      '/live',
      '/llms',
      '/ai-funnel',
      '/ai-landing',
      '/crawl-report',
      '/crawl-audit',
      '/crawl-links',
      '/url',
    ]);
  });
});

describe.each([...wholeReads, breakdown].map((operation) => [operation.id, operation] as const))(
  '%s, while it is still being read',
  (_, operation) => {
    it('answers as documented, without figures', async () => {
      const { answer } = await ask(operation);
      expect(operation.answer.parse(answer)).toEqual(answer);
      expect(answer).toMatchObject({ data_buffering: true });
      const { data_buffering: _, window: __, feed_type: ___, ...figures } = answer as Record<string, unknown>;
      expect(Object.keys(figures).length).toBeGreaterThan(0);
      expect(Object.values(figures).filter((value) => value !== null)).toEqual([]);
    });

    it('is the same question a minute later, also for a renamed segment', async () => {
      const { key } = await ask(operation);
      expect((await ask(operation, { now: NOW + 60_000 })).key).toBe(key);
      const updated = { ...segment, notes: 'new', updatedAt: '2026-11-03T00:00:00.000Z' };
      expect((await ask(operation, { segments: [updated] })).key).toBe(key);
    });

    it('is another question for another website or another content of the segment', async () => {
      const rules = [{ type: 'prefix', value: '/shop/' }] as const;
      const keys = await Promise.all([
        ask(operation),
        ask(operation, { websiteId: 'rival' }),
        ask(operation, { segments: [{ ...segment, rules }] }),
        ask(operation, { segments: [{ ...segment, excludeRules: rules }] }),
      ]);
      expect(new Set(keys.map(({ key }) => key)).size).toBe(4);
    });
  },
);

const others: Record<string, string>[] = [
  { hours: '48' },
  { start: '2026-11-01', end: '2026-11-02' },
  { countries: 'DE' },
];
const ownParameters: Record<string, Record<string, string>[]> = {
  getBots: [{ split_variants: 'yes' }],
  getBotsAccess: [{ limit: '7' }],
  getPaths: [{ limit: '7' }],
  getReferrers: [{ limit: '7' }],
  getLlms: [{ limit: '7' }],
  getAiFunnel: [{ min_impressions: '7' }],
  getAiLanding: [{ limit: '7' }, { operator: 'OpenAI' }],
  getCrawlReport: [{ limit: '7' }],
  getCrawlAudit: [{ limit: '7' }],
  getCrawlLinks: [{ limit: '70' }],
  getLive: [{ type: 'bots' }],
  getSegmentsBreakdown: [{ compare: '1' }, { segments: '_all' }],
};

describe('questions', () => {
  it('differ by operation and by each parameter', async () => {
    const keys: string[] = [];
    for (const operation of [...wholeReads, breakdown]) {
      const given = [...(operation.id === 'getLive' ? [] : others), ...(ownParameters[operation.id] ?? [])];
      for (const one of [{}, ...given]) {
        keys.push((await ask(operation, { given: { segment: 'seg_1', ...one } })).key);
      }
    }
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).not.toContain('');
  });
});

describe('without a segment of the website', () => {
  it.each(wholeReads.map((operation) => [operation.id, operation] as const))(
    '%s is answered at once',
    async (_, operation) => {
      await expect(ask(operation, { given: {} })).rejects.toThrow('asked at once');
      await expect(ask(operation, { given: { segment: 'seg_2' } })).rejects.toThrow('asked at once');
    },
  );
});

describe('an answer that equal calls may share', () => {
  const context = {
    website: { id: 'shop' },
    now: NOW,
    services: {
      control: {
        segment: () => segment,
        state: () => ({
          segments: { by: () => [segment] },
          crawls: { by: () => [] },
          connections: { get: () => undefined },
        }),
      },
    },
  } as unknown as WebsiteContext;
  const reuse = (operation: WebsiteRead, given: Record<string, string>) =>
    operation.reuse?.(queryOf(operation).parse(given) as never, context);
  const summary = operations.find(({ id }) => id === 'getSummary') as WebsiteRead;

  it('ends when the window moves', () => {
    const minute = Date.UTC(2026, 10, 3, 14, 38);
    expect(reuse(summary, { hours: '24' })?.until).toBe(minute);
    expect(reuse(summary, { start: '2026-11-01', end: '2026-11-05' })?.until).toBe(minute);
    expect(reuse(summary, { hours: '23' })?.until).toBe(Date.UTC(2026, 10, 3, 14, 37, 10));
    expect(reuse(summary, { start: '2026-11-01', end: '2026-11-01' })?.until).toBeUndefined();
  });

  it('never comes from single requests: such a read may have begun before rows that this caller knows', () => {
    expect(reuse(summary, { segment: 'seg_1' })).toBeNull();
    expect(reuse(summary, { file_type: 'html' })).toBeNull();
    expect(reuse(breakdown, {})).toBeNull();
  });
});
