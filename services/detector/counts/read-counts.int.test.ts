import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dateTime64, insertRows } from '../../../shared/clickhouse/insert-rows.js';
import { AnswerTooLongError, ReadTooLargeError } from '../../../shared/clickhouse/store-errors.js';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { asIpv6 } from '../../../shared/queries/client-ip.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import {
  type CountedRow,
  type CountedVerdict,
  countRows,
} from '../../../test/harness/detector/count-rows.js';
import type { CountedSpans, CountsByWebsite } from './counts-reader.js';
import { createCountsReader } from './read-counts.js';
import { countedLists } from './span-counts.js';

const FROM = Date.UTC(2026, 9, 7, 12);

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

const stored = ({ timestamp, client_ip, ...row }: CountedRow, place: number) => ({
  ...row,
  timestamp: dateTime64(timestamp),
  received_at: Math.floor(timestamp / 1000),
  client_ip: asIpv6(client_ip),
  log_offset: place,
  is_bot: row.traffic_class !== 'human' && row.traffic_class !== 'undeclared_agent',
  retention_days: 3650,
});

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

const rowOf = (given: Partial<CountedRow>): CountedRow => ({
  ...{ website_id: 'w', timestamp: FROM, client_ip: '192.0.2.1', path: '/', query: '', file_type: 'html' },
  ...{ status: 200, time_taken_ms: 12, user_agent: 'Mozilla/5.0', traffic_class: 'human', bot_name: '' },
  ...{ bot_family: '', bot_operator: '', bot_category: '', bot_verification: '', country: 'DE', asn: 64_500 },
  ...{ as_name: 'Example', is_probe: false },
  ...given,
});

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
  /** Many requests like one, of pages of their own or by addresses of their own. */
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

  it('are those of the rows, however the rows were inserted', async () => {
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

  it('list every bot and address that a rule can name, in a crowd of addresses and of made-up names', async () => {
    const at = (given: Partial<CountedRow>, index = 0) =>
      rowOf({ website_id: 'crowd', timestamp: FROM + (index % 300) * 1_000, ...given });
    const crowd = Array.from({ length: 12_000 }, (_, index) =>
      at({ client_ip: `10.${index >> 14}.${(index >> 7) & 127}.${index & 127}` }, index),
    ).flatMap((one) => [one, { ...one, file_type: 'css', path: '/style.css' }]);
    const scraper = Array.from({ length: 41 }, (_, index) =>
      at({ client_ip: '203.0.113.1', path: `/${index}` }, index),
    );
    const prober = [1, 2].map((place) =>
      at({ client_ip: '203.0.113.2', path: `/.env${place}`, is_probe: true }),
    );
    const names = Array.from({ length: 400 }, (_, index) =>
      at({ traffic_class: 'other_bot', bot_name: `Bot ${index}`, bot_verification: 'unverifiable' }),
    ).flatMap((one) => [one, one]);
    const claim = { bot_name: 'Googlebot', bot_family: 'Google', bot_category: 'search' } as const;
    const impostor = at({
      ...{ client_ip: '203.0.113.3', traffic_class: 'spoofed_bot', bot_verification: 'spoofed' },
      ...claim,
    });
    const rows = [...crowd, ...scraper, ...prober, ...names, impostor];
    await insert('requests', rows.map(stored));
    const counts = (await read(FIVE)).get('crowd')!.get(FROM)!;
    expect(counts).toEqual(countRows(rows, FIVE).get('crowd')!.get(FROM)!);
    const ips = counts.byClient.map(({ ip }) => ip);
    expect(ips).toEqual(expect.arrayContaining(['203.0.113.1', '203.0.113.2', '203.0.113.3']));
    expect(counts.byBot).toContainEqual(
      expect.objectContaining({ name: 'Googlebot', verification: 'spoofed' }),
    );
    expect(counts.byBot).toHaveLength(121);
    expect(counts).toMatchObject({ mayHaveMoreBots: true, mayHaveMoreClients: false });
  });

  it('say that there may be more addresses where the list is full', async () => {
    const rows = Array.from({ length: 400 }, (_, index) =>
      rowOf({ website_id: 'scan', client_ip: `10.0.${index % 2}.${index >> 1}`, is_probe: true }),
    ).flatMap((one) => [one, one]);
    await insert('requests', rows.map(stored));
    const spans = { ...FIVE, websiteIds: ['scan'], lists: 'named' } as const;
    const counts = (await read(spans)).get('scan')!.get(FROM)!;
    expect(counts).toEqual(countRows(rows, spans).get('scan')!.get(FROM)!);
    expect(counts.byClient).toHaveLength(200);
    expect(counts).toMatchObject({ mayHaveMoreBots: false, mayHaveMoreClients: true });
  });

  it('list the addresses that met most of a kind of failure, however many others met another kind', async () => {
    const failing = (client_ip: string, status: number, times: number) =>
      Array.from({ length: times }, () => rowOf({ website_id: 'kinds', client_ip, status }));
    const others = Array.from({ length: 20 }, (_, index) => failing(`198.51.100.${index}`, 403, 20));
    const rows = [...others.flat(), ...failing('192.0.2.1', 404, 2), ...failing('192.0.2.2', 503, 1)];
    await insert('requests', rows.map(stored));
    const spans = { ...FIVE, websiteIds: ['kinds'] };
    const counts = (await read(spans)).get('kinds')!.get(FROM)!;
    expect(counts).toEqual(countRows(rows, spans).get('kinds')!.get(FROM)!);
    const ips = counts.byClient.map(({ ip }) => ip);
    expect(ips).toEqual(expect.arrayContaining(['192.0.2.1', '192.0.2.2']));
  });

  it('are the same where a long answer is read in pieces', async () => {
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

  it('lack only the lists of a span that are more than the store can answer', async () => {
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
    const empty = { lacksBots: true, byBot: [], byClient: [], failingPaths: [] };
    expect(counts.get('much')!.get(FROM)).toEqual({ ...whole.get('much')!.get(FROM), ...empty });
    expect(leftOut).toEqual(['bots', 'clients', 'failing_paths'].map((list) => `much ${list} ${FROM}`));
  });
});
