import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { asIpv6 } from '../../../shared/reads/sql/client-ip.js';
import { dateTime64, insertRows } from '../../../shared/store/insert-rows.js';
import { AnswerTooLongError, ReadTooLargeError } from '../../../shared/store/store-errors.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import {
  type CountedRow,
  type CountedVerdict,
  countRows,
} from '../../../test/harness/detector/count-rows.js';
import { FROM, rowOf, stored } from '../../../test/harness/detector/counted-row.js';
import type { CountedSpans, CountsByWebsite } from './counts-reader.js';
import { createCountsReader } from './read-counts.js';
import { countedLists } from './span-counts.js';

let store: TestClickHouse;
beforeAll(async () => {
  store = await startTestClickHouse();
});
afterAll(() => store.stop());

let inserts = 0;
async function insert(table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
  if (rows.length === 0) return;
  inserts += 1;
  await insertRows(store.clickhouse, {
    table,
    rows: rows as never,
    deduplicationToken: `${table}-${inserts}`,
  });
}

const insertVerdicts = (verdicts: readonly CountedVerdict[]) =>
  insert(
    'claim_verdicts',
    verdicts.map(({ at, status, client_ip, ...claim }) => ({
      ...claim,
      client_ip: asIpv6(client_ip),
      decided: { at: dateTime64(at), status },
      expires: '2100-01-01',
    })),
  );

/** As arrays, in rising order of websites. */
const plain = (counts: CountsByWebsite) =>
  [...counts].map(([website, spans]) => [website, [...spans]] as const).sort(([a], [b]) => (a < b ? -1 : 1));

const read = (spans: CountedSpans) => createCountsReader(store.clickhouse)(spans);

describe('counts of spans', () => {
  const hostile = fc.constantFrom(
    ...[
      '',
      'a',
      'A',
      'ß',
      '\ufffe',
      '\u{10ffff}',
      `${'x'.repeat(119)}😀`,
      `${'x'.repeat(119)}😃`,
      'tab\tline\n\u0000',
    ],
    ...['quote\'"\\', 'y'.repeat(3_000), '😀'.repeat(300), '__proto__', '</script>', '%00', '?'],
  );
  const path = fc.oneof(
    hostile,
    fc.nat(250).map((page) => `/page-${page}`),
  );
  const bot = fc.constantFrom<Partial<CountedRow>>(
    {},
    {},
    { traffic_class: 'undeclared_agent', bot_operator: 'Example AI', bot_verification: 'undeclared' },
    ...['verified', 'spoofed', 'pending', 'pending', 'unverifiable'].map(
      (bot_verification) =>
        ({
          traffic_class: bot_verification === 'spoofed' ? 'spoofed_bot' : 'search_bot',
          ...{ bot_name: 'Googlebot', bot_family: 'Google', bot_operator: 'Google', bot_category: 'search' },
          bot_verification,
        }) as Partial<CountedRow>,
    ),
    ...['pending', 'verified'].map(
      (bot_verification) =>
        ({
          ...{ traffic_class: 'ai_bot', bot_name: 'GPTBot', bot_family: 'OpenAI', bot_category: 'ai' },
          bot_verification,
        }) as Partial<CountedRow>,
    ),
  );
  const address = fc.constantFrom(
    '::',
    '192.0.2.1',
    '192.0.2.2',
    '192.0.2.30',
    '2001:db8::1',
    '9.9.9.9',
    '::1',
  );
  const row = fc
    .record({
      website: fc.nat(2),
      timestamp: fc.integer({ min: -HOUR_MS, max: 3 * HOUR_MS }).map((after) => FROM + after),
      client_ip: address,
      path,
      query: fc.oneof(fc.constant(''), hostile),
      file_type: fc.constantFrom('html', 'php', 'png', ''),
      status: fc.constantFrom(200, 200, 200, 301, 401, 403, 402, 404, 410, 418, 429, 500, 503, 599, 600, 0),
      time_taken_ms: fc.option(fc.nat(4_000_000_000)),
      user_agent: hostile,
      country: fc.constantFrom('', 'DE', 'US'),
      asn: fc.constantFrom(0, 64_500, 4_294_967_295),
      as_name: hostile,
      is_probe: fc.boolean(),
      bot,
      madeUp: fc.option(hostile, { freq: 4 }),
    })
    .map(({ bot: claim, madeUp, website, ...rest }) => ({
      ...rowOf({ ...rest, ...claim, website_id: `w${website}` }),
      ...(madeUp !== null && {
        ...{
          traffic_class: 'other_bot' as const,
          bot_name: madeUp,
          bot_verification: 'unverifiable' as const,
        },
      }),
    }));
  /** Many similar requests, each for its own page or from its own address. */
  const burst = fc
    .record({
      like: row,
      times: fc.integer({ min: 2, max: 400 }),
      vary: fc.constantFrom('path', 'client_ip', ''),
    })
    .map(({ like, times, vary }) =>
      Array.from({ length: times }, (_, index) => ({
        ...like,
        timestamp: like.timestamp + index * 97,
        ...(vary === 'path' && { path: `/${index % 230}` }),
        ...(vary === 'client_ip' && { client_ip: `198.51.${index % 7}.${index % 250}` }),
      })),
    );
  const verdict = fc.record({
    website: fc.nat(2),
    bot_family: fc.constantFrom('Google', 'OpenAI'),
    client_ip: address,
    at: fc.nat(3).map((after) => FROM + after),
    status: fc.constantFrom('verified' as const, 'spoofed' as const, 'unverifiable' as const),
  });

  it('are those of the rows in any order of insertion', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 60 }),
        fc.array(burst, { maxLength: 4 }),
        fc.array(verdict, { maxLength: 12 }),
        fc.constantFrom(5, 15, 60),
        fc.constantFrom(...countedLists),
        fc.integer({ min: 1, max: 3 }),
        fc.array(fc.nat(), { minLength: 300, maxLength: 300 }),
        async (single, bursts, verdicts, minutes, lists, parts, order) => {
          run += 1;
          const named = <Of extends { website_id: string }>(one: Of) => ({
            ...one,
            website_id: `${run}-${one.website_id}`,
          });
          const rows = [...single, ...bursts.flat()].map(named);
          const late = verdicts.map(({ website, ...rest }) => named({ ...rest, website_id: `w${website}` }));
          const shuffled = rows
            .map((one, place) => ({ one, by: order[place % order.length]! }))
            .sort((a, b) => a.by - b.by)
            .map(({ one }, place) => stored(one, place));
          for (let part = 0; part < parts; part++)
            await insert(
              'requests',
              shuffled.filter((_, place) => place % parts === part),
            );
          await insertVerdicts(late);
          const lengthMs = minutes * MINUTE_MS;
          const spans = {
            websiteIds: [0, 1, 2, 3].map((website) => `${run}-w${website}`),
            ...{ from: FROM, to: FROM + 2 * Math.max(lengthMs, HOUR_MS / 2), lengthMs },
            lists,
          };
          expect(plain(await read(spans))).toEqual(plain(countRows(rows, spans, late)));
        },
      ),
      { numRuns: 60, endOnFailure: true },
    );
  });

  const FIVE = {
    ...{ websiteIds: ['crowd'], from: FROM, to: FROM + 5 * MINUTE_MS, lengthMs: 5 * MINUTE_MS },
    lists: 'all',
  } as const;

  it('are the same if a long answer is read in pieces', async () => {
    const websiteIds = ['piece-1', 'piece-2', 'piece-3'];
    const rows = websiteIds.flatMap((website_id, place) =>
      Array.from({ length: 50 }, (_, index) =>
        rowOf({
          website_id,
          timestamp: FROM + index * MINUTE_MS,
          path: `/${index % (place + 3)}`,
          status: 404,
        }),
      ),
    );
    await insert('requests', rows.map(stored));
    const spans = {
      ...{ websiteIds, from: FROM, to: FROM + HOUR_MS, lengthMs: 5 * MINUTE_MS },
      lists: 'all',
    } as const;
    const inPieces = createCountsReader({
      async read(query) {
        const answer = await store.clickhouse.read(query);
        if (answer.length > 6) throw new AnswerTooLongError('too long');
        return answer;
      },
    });
    expect(plain(await inPieces(spans))).toEqual(plain(countRows(rows, spans)));
  });

  it('lack only the lists of a span that the store cannot answer', async () => {
    const rows = ['much', 'little'].flatMap((website_id) =>
      [0, 1].map((minute) =>
        rowOf({ website_id, timestamp: FROM + minute * MINUTE_MS, path: '/gone', status: 404 }),
      ),
    );
    await insert('requests', rows.map(stored));
    const leftOut: string[] = [];
    const reading = createCountsReader(
      {
        async read(query) {
          const isOfMuch = (query.params.website_ids as readonly string[]).includes('much');
          if (isOfMuch && query.name !== 'detector.totals') throw new ReadTooLargeError('too large');
          return store.clickhouse.read(query);
        },
      },
      (list, { websiteId, start }) => void leftOut.push(`${websiteId} ${list} ${start}`),
    );
    const spans = { ...FIVE, websiteIds: ['much', 'little'] };
    const counts = await reading(spans);
    const whole = countRows(rows, spans);
    expect(counts.get('little')).toEqual(whole.get('little'));
    const empty = { lacksBots: true, byBot: [], byClient: [], unlisted: [], paths: [] };
    expect(counts.get('much')!.get(FROM)).toEqual({ ...whole.get('much')!.get(FROM), ...empty });
    expect(leftOut).toEqual(['bots', 'clients', 'paths'].map((list) => `much ${list} ${FROM}`));
  });
});
