import { describe, expect, test } from 'vitest';
import { SourceError } from '../../connections/source-error.js';
import { openBingWebmaster } from './bing-webmaster.js';

const signal = new AbortController().signal;

/** A source with these responses in order, and the URLs of its requests. */
function source(...answers: { status?: number; body: object }[]) {
  const asked: URL[] = [];
  const opened = openBingWebmaster({
    apiKey: 'zqx-key',
    property: 'https://www.example.com/',
    wait: async () => {},
    fetch: (async (address: string) => {
      asked.push(new URL(address));
      const { status = 200, body } = answers.shift() ?? { status: 500, body: {} };
      return Response.json(body, { status });
    }) as never,
  });
  return { asked, opened };
}

const daily = (at: number, Clicks: number, Impressions: number, zone = '') => ({
  ...{ __type: 'RankAndTrafficStats', Date: `/Date(${at}${zone})/`, Clicks, Impressions },
});
const weekly = (at: number, Query: string, Impressions: number, AvgImpressionPosition: number) => ({
  ...{ ...daily(at, 1, Impressions), Query, AvgImpressionPosition, AvgClickPosition: 1 },
});
const DAY_17 = Date.parse('2026-11-17T00:00:00Z');
const span = { from: '2026-11-01', to: '2026-11-30' };

describe('Bing Webmaster Tools', () => {
  test('returns totals by day in their zone, within the span, without a position', async () => {
    const { asked, opened } = source({
      body: {
        d: [
          daily(DAY_17 + 8 * 3_600_000, 4, 40, '-0800'),
          daily(DAY_17 - 86_400_000, 1, 10),
          daily(Date.parse('2026-09-01'), 9, 90),
        ],
      },
    });
    expect(await opened.days(span, signal)).toEqual([
      { day: '2026-11-16', impressions: 10, clicks: 1, position: 0 },
      { day: '2026-11-17', impressions: 40, clicks: 4, position: 0 },
    ]);
    expect(asked[0]!.pathname).toBe('/webmaster/api.svc/json/GetRankAndTrafficStats');
    expect(Object.fromEntries(asked[0]!.searchParams)).toEqual({
      ...{ siteUrl: 'https://www.example.com/', apikey: 'zqx-key' },
    });
  });

  test('returns pages and queries of the week of a day, and requests each list once', async () => {
    const page = 'https://www.example.com/a';
    const { asked, opened } = source(
      { body: { d: [weekly(DAY_17, page, 10, 3.5), weekly(DAY_17 - 7 * 86_400_000, page, 20, 4)] } },
      { body: { d: [weekly(DAY_17, 'shoes', 5, -1)] } },
    );
    expect(await opened.pages('2026-11-17', signal)).toEqual([
      { url: page, impressions: 10, clicks: 1, position: 3.5 },
    ]);
    expect(await opened.pages('2026-11-10', signal)).toMatchObject([{ impressions: 20 }]);
    expect(await opened.queries('2026-11-17', signal)).toEqual([
      { query: 'shoes', impressions: 5, clicks: 1, position: 0 },
    ]);
    expect(asked).toHaveLength(2);
  });

  test('caps implausible figures', async () => {
    const { opened } = source({ body: { d: [weekly(DAY_17, 'shoes', Number.MAX_SAFE_INTEGER, 1e300)] } });
    expect(await opened.queries('2026-11-17', signal)).toEqual([
      { query: 'shoes', impressions: 1e12, clicks: 1, position: 1e6 },
    ]);
  });

  test('is retried when it throttles', async () => {
    const { asked, opened } = source(
      { status: 400, body: { ErrorCode: 4, Message: 'ERROR!!! ThrottleUser' } },
      { status: 503, body: {} },
      { body: { d: [] } },
    );
    expect(await opened.days(span, signal)).toEqual([]);
    expect(asked).toHaveLength(3);
  });

  test('that refuses is requested once, and its error contains no key', async () => {
    const { asked, opened } = source({ status: 400, body: { ErrorCode: 3, Message: 'InvalidApiKey' } });
    const error = await opened.days(span, signal).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SourceError);
    expect(error).toMatchObject({ reason: 'refused', message: 'Bing: InvalidApiKey' });
    expect(asked).toHaveLength(1);
  });

  test('with an undocumented answer cannot be read', async () => {
    const { opened } = source({ body: { d: [{ Date: 'yesterday', Clicks: 1, Impressions: 1 }] } });
    await expect(opened.days(span, signal)).rejects.toThrow('an undocumented answer (at d.0.Date)');
  });
});
