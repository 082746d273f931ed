import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyMinute, foldMinutes, foldOpen } from '../../../shared/detection/fold-signals.js';
import {
  type BotSignal,
  MAX_CLIENTS,
  MAX_DISTINCT_PATHS,
  MAX_OPEN_BOTS,
  MAX_PATHS,
  MAX_TEXT,
  type MinuteSignal,
} from '../../../shared/detection/signal.js';
import { signalRecord } from '../../../shared/detection/signal-codec.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { type Enrichment, trafficClasses } from '../../../shared/requests/enriched-request.js';
import { plainRequest } from '../../../shared/requests/plain-request.js';
import type { RawRequest } from '../../../shared/requests/raw-request.js';
import { enrichedAs } from '../../../test/harness/enrich-each.js';
import { storedRequest } from '../../../test/harness/stored-requests.js';
import { createSignalGatherer } from './gather-signals.js';

/** The beginning of a minute. */
const NOW = 1_700_000_040_000;

/** Runs a generator to its end and returns its result. */
function endOf<Result>(work: Generator<undefined, Result, undefined>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

type Row = readonly [Partial<RawRequest>, Partial<Enrichment>?];

const enrichmentOf = (given: Partial<Enrichment> = {}): Enrichment => ({
  ...storedRequest({ website_id: 'w', timestamp: NOW }),
  ...given,
});

/** The minutes of the one website that sent these. */
function gather(...rows: readonly Row[]) {
  const gatherer = createSignalGatherer(NOW);
  gatherer.add(
    'w',
    enrichedAs(
      rows.map(([request]) => plainRequest({ timestamp: NOW, ...request })),
      rows.map(([, row]) => enrichmentOf(row)),
    ),
    Uint32Array.from(rows.keys()),
  );
  return endOf(gatherer.signals())[0]?.minutes ?? [];
}

describe('the signals of a range', () => {
  it('count what each website was asked, by the minute of the request', () => {
    const gatherer = createSignalGatherer(NOW);
    const add = (websiteId: string, ...ages: number[]) =>
      gatherer.add(
        websiteId,
        enrichedAs(
          ages.map((age) => plainRequest({ timestamp: NOW - age })),
          ages.map(() => enrichmentOf()),
        ),
        Uint32Array.from(ages.keys()),
      );
    add('w', 0, -1, 1, MINUTE_MS, MINUTE_MS + 1);
    add('v', 0);
    add('w', 0);
    const told = endOf(gatherer.signals()).map(({ websiteId, minutes }) => ({
      websiteId,
      minutes: minutes.map(({ minute, requests }) => [minute - NOW, requests]),
    }));
    expect(told).toEqual([
      {
        websiteId: 'w',
        minutes: [
          [-2 * MINUTE_MS, 1],
          [-MINUTE_MS, 2],
          [0, 3],
        ],
      },
      { websiteId: 'v', minutes: [[0, 1]] },
    ]);
  });

  it('leave out what is older than eight days, and websites of which nothing is left', () => {
    expect(gather([{ timestamp: NOW - 8 * DAY_MS - MINUTE_MS }])).toEqual([]);
    expect(gather([{ timestamp: NOW - 8 * DAY_MS }])).toHaveLength(1);
    expect(gather([{ timestamp: NOW + DAY_MS }])).toEqual([]);
  });

  it('tell of the addresses that stand out alone where they come hours late', () => {
    const late = { timestamp: NOW - 3 * HOUR_MS };
    const curl = { bot_name: 'curl', traffic_class: 'other_bot' } as const;
    const shop = Array.from(
      { length: 4 },
      (_, page): Row => [
        { ...late, client_ip: '192.0.2.4' },
        { path: `/p/${page}`, file_type: 'html' },
      ],
    );
    const rows: Row[] = [
      [{ ...late, client_ip: '192.0.2.1', status: 404 }, { path: '/gone' }],
      [{ ...late, client_ip: '192.0.2.2' }, curl],
      [
        { ...late, client_ip: '192.0.2.3', target: '/.env', status: 404 },
        { path: '/.env', ...curl },
      ],
      ...shop,
      [{ ...late, client_ip: '192.0.2.5' }, curl],
      [
        { ...late, client_ip: '192.0.2.5' },
        { bot_name: 'Googlebot', traffic_class: 'spoofed_bot', bot_verification: 'spoofed' },
      ],
    ];
    const [minute] = gather(...rows);
    expect(minute).toMatchObject({ requests: 9, notFound: 2, byBot: [{ name: 'curl', requests: 3 }, {}] });
    expect(minute!.byClient.map(({ ip }) => ip).sort()).toEqual(['192.0.2.3', '192.0.2.4', '192.0.2.5']);
    const impostor = minute!.byClient.find(({ ip }) => ip === '192.0.2.5');
    expect(impostor).toMatchObject({ botName: 'Googlebot', verification: 'spoofed' });
    expect(minute!.failingPaths.map(({ path }) => path).sort()).toEqual(['/.env', '/gone']);
    const [live] = gather(
      ...rows.map(([request, row = {}]): Row => [{ ...request, timestamp: NOW - HOUR_MS }, row]),
    );
    expect(live!.byClient).toHaveLength(5);
  });

  it('have the lists of five minutes with the newest of them where they come hours late, and counts of each minute', () => {
    const start = Math.floor((NOW - 4 * HOUR_MS) / (5 * MINUTE_MS)) * 5 * MINUTE_MS;
    const bot = fc.record({
      bot_name: fc.constantFrom('', 'Googlebot', 'curl'),
      traffic_class: fc.constantFrom('human', 'search_bot', 'spoofed_bot'),
      bot_verification: fc.constantFrom('', 'verified', 'spoofed'),
      path: fc.constantFrom('/', '/a', '/.env'),
      file_type: fc.constantFrom('html', 'css'),
    }) as fc.Arbitrary<Partial<Enrichment>>;
    const row = fc.tuple(
      fc.record({
        timestamp: fc.integer({ min: 0, max: 12 }).map((minute) => start + minute * MINUTE_MS + 1),
        client_ip: fc.constantFrom('192.0.2.1', '192.0.2.2'),
        status: fc.constantFrom(200, 404, 500),
      }),
      bot,
    );
    const intervalOf = ({ minute }: MinuteSignal) => Math.floor(minute / (5 * MINUTE_MS));
    /** In the order in which they come. */
    const inGroups = <Item>(items: readonly Item[], keyOf: (item: Item) => number): Item[][] => {
      const groups = new Map<number, Item[]>();
      for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
      return [...groups.values()];
    };
    const intervals = (minutes: readonly MinuteSignal[]) =>
      inGroups(minutes, intervalOf).map((some) => some.reduce(foldMinutes));
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 40 }), (rows) => {
        const timeOf = ([{ timestamp = 0 }]: Row) => Math.floor(timestamp / MINUTE_MS);
        const inOrder = rows.toSorted((one, other) => timeOf(one) - timeOf(other));
        const together = gather(...inOrder);
        const alone = inGroups(inOrder, timeOf).flatMap((some) => gather(...some));
        const counts = ({ byBot, byClient, failingPaths, ...numbers }: MinuteSignal) => numbers;
        expect(together.map(counts)).toEqual(alone.map(counts));
        for (const [index, minute] of together.entries()) {
          const next = together[index + 1];
          const isNewest = next === undefined || intervalOf(next) !== intervalOf(minute);
          if (!isNewest) expect(minute).toMatchObject({ byBot: [], byClient: [], failingPaths: [] });
        }
        const folded = intervals(alone);
        for (const [index, interval] of intervals(together).entries()) {
          const inMinutes = folded[index]!;
          const numbers = ({ name, verification, requests, notFound, status5xx }: BotSignal) => ({
            ...{ name, verification, requests, notFound, status5xx },
          });
          expect(interval.byBot.map(numbers)).toEqual(inMinutes.byBot.map(numbers));
          expect(interval.failingPaths).toEqual(inMinutes.failingPaths);
          // Who stands out in a minute does so in five; what it asked for in the other minutes is told, too.
          for (const { ip, requests, probes, paths, verification } of inMinutes.byClient) {
            const told = interval.byClient.find((client) => client.ip === ip);
            expect(told?.requests).toBeGreaterThanOrEqual(requests);
            expect(told?.paths).toBeGreaterThanOrEqual(paths);
            expect(told?.probes).toBe(probes);
            if (verification === 'spoofed') expect(told?.verification).toBe('spoofed');
          }
        }
      }),
    );
  });

  it('have lists of its own for each minute of the last two hours, also where their interval began before', () => {
    const rows = [120, 121, 122].map(
      (age): Row => [{ timestamp: NOW - age * MINUTE_MS, status: 404 }, { path: '/gone' }],
    );
    const told = gather(...rows);
    expect(new Set(told.map(({ minute }) => Math.floor(minute / (5 * MINUTE_MS)))).size).toBe(1);
    const failures = ({ failingPaths }: MinuteSignal) => failingPaths.map(({ requests }) => requests);
    expect(told.map(failures)).toEqual([[], [2], [1]]);
  });

  it('tell classes and answers apart', () => {
    const statuses = [200, 301, 401, 403, 404, 410, 429, 499, 500, 503, 0];
    const [minute] = gather(
      ...statuses.map((status): Row => [{ status, bytes_sent: 10, time_taken_ms: status === 0 ? null : 5 }]),
      ...trafficClasses.map((traffic_class): Row => [{}, { traffic_class }]),
    );
    expect(minute).toMatchObject({
      requests: 17,
      people: 12,
      bots: 5,
      crawlers: 1,
      aiBots: 1,
      spoofed: 1,
      undeclared: 1,
      status4xx: 6,
      notFound: 2,
      rejected: 3,
      status5xx: 2,
      timed: 10,
      timeTakenMs: 50,
      bytesSent: 110,
    });
  });

  it('tell what bots met, whatever their number', () => {
    const statuses = [200, 400, 401, 404, 410, 429, 499, 500, 503, 600];
    const of = (row: Partial<Enrichment>) => statuses.map((status): Row => [{ status }, row]);
    const bots = Array.from({ length: 200 }, (_, i) =>
      of({ bot_name: `bot${i}`, traffic_class: 'other_bot', bot_verification: 'unverifiable' }),
    );
    const [minute] = gather(...of({}), ...bots.flat());
    expect(minute).toMatchObject({
      ...{ status4xx: 201 * 6, notFound: 201 * 2, status5xx: 201 * 2 },
      ...{ botsNotFound: 200 * 2, botsOther4xx: 200 * 4, bots5xx: 200 * 2 },
    });
  });

  it('name each claim with its verdict, and where it failed', () => {
    const claim = {
      bot_name: 'Googlebot',
      bot_family: 'Googlebot',
      bot_operator: 'Google',
      bot_category: 'search',
    } as const;
    const verified = { ...claim, traffic_class: 'search_bot', bot_verification: 'verified' } as const;
    const spoofed = { ...claim, traffic_class: 'spoofed_bot', bot_verification: 'spoofed' } as const;
    const agent = {
      bot_name: '',
      bot_operator: 'OpenAI',
      traffic_class: 'undeclared_agent',
      bot_verification: 'undeclared',
    } as const;
    const [minute] = gather(
      [{ status: 200 }, { ...verified, path: '/ok' }],
      [{ status: 503 }, { ...verified, path: '/down' }],
      [{ status: 404 }, { ...verified, path: '/gone' }],
      [
        { status: 403, client_ip: '192.0.2.9', user_agent: 'fake' },
        { ...spoofed, path: '/no' },
      ],
      [{}, { ...agent }],
      [{}, {}],
    );
    expect(minute!.byBot).toHaveLength(3);
    expect(minute!.byBot).toMatchObject([
      {
        name: 'Googlebot',
        verification: 'verified',
        requests: 3,
        notFound: 1,
        status5xx: 1,
        samplePath: '/down',
      },
      { name: '', operator: 'OpenAI', verification: 'undeclared', requests: 1, samplePath: '' },
      {
        name: 'Googlebot',
        verification: 'spoofed',
        requests: 1,
        rejected: 1,
        sampleIp: '192.0.2.9',
        sampleUserAgent: 'fake',
        samplePath: '/no',
      },
    ]);
  });

  it('tell of an address how much it asked, for what, and what it probed', () => {
    const ip = { client_ip: '192.0.2.7' };
    const tool = { ...ip, user_agent: 'tool', status: 404 };
    const [minute] = gather(
      [
        { ...ip, user_agent: 'browser' },
        { path: '/', file_type: 'html', asn: 7, as_name: 'Net', country: 'NL' },
      ],
      [ip, { path: '/', file_type: 'html' }],
      [ip, { path: '/a.css', file_type: 'css' }],
      [
        { ...tool, target: '/.env' },
        { path: '/.env', bot_name: 'curl', traffic_class: 'other_bot', bot_verification: 'unverifiable' },
      ],
      [
        { ...tool, status: 500, target: '/x?q=../../etc' },
        { path: '/x', query: 'q=../../etc' },
      ],
    );
    expect(minute!.byClient).toEqual([
      {
        ip: '192.0.2.7',
        country: 'NL',
        asn: 7,
        asName: 'Net',
        requests: 5,
        pages: expect.any(Number),
        notFound: 1,
        rejected: 0,
        status5xx: 1,
        probes: 2,
        paths: 4,
        isPerson: true,
        botName: 'curl',
        verification: 'unverifiable',
        sampleUserAgent: 'tool',
        samplePaths: ['/.env', '/x?q=../../etc', '/'],
      },
    ]);
  });

  it('name the paths that failed, heaviest first', () => {
    const rows = Array.from(
      { length: 40 },
      (_, i): Row => [{ status: i < 20 ? 404 : 502 }, { path: `/${i % 15}` }],
    );
    const [minute] = gather(...rows, [{ status: 403 }, { path: '/403' }], [{ status: 404 }, { path: '/1' }]);
    expect(minute!.failingPaths).toHaveLength(MAX_PATHS);
    expect(minute!.failingPaths[0]).toEqual({ path: '/1', status: 404, requests: 3 });
    expect(minute!.failingPaths.some(({ path }) => path === '/403')).toBe(false);
  });
});

describe('whoever comes steadily, in one range after another', () => {
  const open = (ranges: readonly Row[][]) =>
    ranges.flatMap((rows) => gather(...rows)).reduce(foldOpen, emptyMinute(NOW));
  const page = { path: '/', file_type: 'html' } as const;
  const ofCrowd = (range: number, i: number): Row => [
    { client_ip: `10.${range}.${i >> 8}.${i & 255}` },
    page,
  ];

  /** Each fetches a page, and files that belong to it. */
  const visitors = (range: number, many: number, requestsOfEach: number) =>
    Array.from(
      { length: many * requestsOfEach },
      (_, i): Row => [
        { client_ip: `10.${range}.0.${i % many}` },
        i < many ? page : { path: `/${i}.css`, file_type: 'css' },
      ],
    );

  it.each(['203.0.113.1', '1.1.1.1'])('is told in full beside a hundred addresses in each: %s', (scraper) => {
    const ranges = Array.from({ length: 60 }, (_, range) => [
      ...Array.from({ length: 100 }, (_, i) => ofCrowd(range, i)),
      [{ client_ip: scraper }, { ...page, path: `/${range}` }] as Row,
    ]);
    expect(open(ranges).byClient[0]).toMatchObject({ ip: scraper, requests: 60, pages: 60, paths: 60 });
  });

  it('is told in full where it takes pages beside visitors who make more requests each', () => {
    const scraper = '203.0.113.1';
    const ranges = Array.from({ length: 60 }, (_, range) => [
      ...visitors(range, 150, 10),
      ...Array.from(
        { length: 3 },
        (_, i): Row => [{ client_ip: scraper }, { ...page, path: `/${range}/${i}` }],
      ),
    ]);
    const told = open(ranges).byClient.find(({ ip }) => ip === scraper);
    expect(told).toMatchObject({ requests: 180, pages: 180 });
  });

  it('is told in full where it takes a page in each beside visitors with browsers, or probes once', () => {
    const [scraper, prober] = ['203.0.113.1', '203.0.113.2'];
    const ranges = Array.from({ length: 60 }, (_, range) => [
      ...visitors(range, 60, 5),
      [{ client_ip: scraper }, { ...page, path: `/${range}` }] as Row,
      [{ client_ip: prober, target: '/.env', status: 404 }, { path: '/.env' }] as Row,
    ]);
    const told = (ip: string) => open(ranges).byClient.find((client) => client.ip === ip);
    expect(told(scraper)).toMatchObject({ pages: 60 });
    expect(told(prober)).toMatchObject({ probes: 60 });
  });

  it('and passes for a crawler is told beside as many names that are made up', () => {
    const spoofed = {
      bot_name: 'Googlebot',
      traffic_class: 'spoofed_bot',
      bot_verification: 'spoofed',
    } as const;
    const madeUp = (i: number): Row => [
      {},
      { bot_name: `Abot${i}`, bot_verification: 'unverifiable', traffic_class: 'other_bot' },
    ];
    const ranges = Array.from({ length: 60 }, () => [
      ...Array.from({ length: 200 }, (_, i) => madeUp(i)),
      [{ client_ip: '203.0.113.1' }, spoofed] as Row,
    ]);
    expect(open(ranges).byBot.find(({ name }) => name === 'Googlebot')).toMatchObject({ requests: 60 });
  });
});

describe('whoever sends whatever', () => {
  it('gets lists of bounded length and exact counts', () => {
    const heavy = { client_ip: '203.0.113.1', status: 404 };
    const rows = Array.from({ length: 20_000 }, (_, i): Row => {
      const ip = `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`;
      return i % 4 === 0 ? [heavy, { path: '/heavy' }] : [{ client_ip: ip, status: 404 }, { path: `/${i}` }];
    });
    const [minute] = gather(...rows);
    expect(minute).toMatchObject({ requests: 20_000, notFound: 20_000 });
    expect(minute!.byClient).toHaveLength(MAX_CLIENTS);
    expect(minute!.byClient[0]).toMatchObject({ ip: heavy.client_ip, requests: 5_000, paths: 1 });
    expect(minute!.failingPaths[0]).toEqual({ path: '/heavy', status: 404, requests: 5_000 });
  });

  it('counts on for an address that had fallen out of the list and comes again', () => {
    const row = (i: number): Row => [{ client_ip: `10.0.${i >> 8}.${i & 255}` }, { path: '/' }];
    const many = Array.from({ length: 1_000 }, (_, i) => row(i));
    // Of equally heavy ones the first goes.
    const first = '10.0.99.99';
    const again = Array.from({ length: 50 }, (): Row => [{ client_ip: first }, { path: '/' }]);
    const [minute] = gather([{ client_ip: first }, { path: '/' }], ...many, ...again);
    expect(minute!.byClient[0]!.ip).toBe(first);
    expect(minute!.byClient[0]!.requests).toBeGreaterThanOrEqual(50);
  });

  it('keeps an address that as heavy decoys came before', () => {
    const of = (ip: string): Row => [{ client_ip: ip }, { path: '/' }];
    const decoys = Array.from({ length: 500 }, (_, i) => of(`10.0.${i >> 8}.${i & 255}`));
    const scraper = '203.0.113.1';
    // At most two requests for each 500 addresses that come once: as heavy as a decoy.
    const rows = Array.from({ length: 20_000 }, (_, i) =>
      of(i % 300 === 0 ? scraper : `10.${1 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}`),
    );
    const [minute] = gather(...decoys, ...decoys, ...rows);
    const told = minute!.byClient.find(({ ip }) => ip === scraper);
    expect(told?.requests).toBeGreaterThanOrEqual(60);
  });

  it('keeps an address that heavier ones come between', () => {
    const of = (ip: string): Row => [{ client_ip: ip }, { path: '/' }];
    const scraper = '203.0.113.1';
    // In pairs, so that each is heavier than what the scraper sends between two halvings of the list.
    const rows = Array.from({ length: 60_000 }, (_, i) =>
      of(i % 1_000 === 0 ? scraper : `10.${i >> 17}.${(i >> 9) & 255}.${(i >> 1) & 255}`),
    );
    const [minute] = gather(...rows);
    const told = minute!.byClient.find(({ ip }) => ip === scraper);
    expect(told?.requests).toBeGreaterThanOrEqual(50);
  });

  it('pushes no verified crawler out by names that are made up', () => {
    const made = Array.from(
      { length: 3_000 },
      (_, i): Row => [
        {},
        { bot_name: `made${i}`, bot_verification: 'unverifiable', traffic_class: 'other_bot' },
      ],
    );
    const real: Row = [
      {},
      { bot_name: 'Googlebot', bot_verification: 'verified', traffic_class: 'search_bot' },
    ];
    const [minute] = gather(...made.slice(0, 1_200), real, ...made.slice(1_200), real);
    expect(minute!.byBot).toHaveLength(MAX_OPEN_BOTS);
    expect(minute!.byBot[0]).toMatchObject({ name: 'Googlebot', verification: 'verified', requests: 2 });
  });

  it('has texts cut and paths told apart up to a bound', () => {
    const long = `/${'x'.repeat(5_000)}`;
    const rows = Array.from(
      { length: 300 },
      (_, i): Row => [{ user_agent: long, status: 500 }, { path: `${i}${long}` }],
    );
    const [minute] = gather(...rows);
    const [client] = minute!.byClient;
    expect(client!.paths).toBe(MAX_DISTINCT_PATHS);
    for (const text of [client!.sampleUserAgent, ...client!.samplePaths, minute!.failingPaths[0]!.path])
      expect(text).toHaveLength(MAX_TEXT);
  });

  it('has control characters told as one sign, which the saved state holds as such', () => {
    const text = `a${'\u0001'.repeat(400)}`;
    const [minute] = gather([
      { user_agent: text, status: 404 },
      { path: text, bot_name: 'x', traffic_class: 'other_bot' },
    ]);
    const shown = `a${'\ufffd'.repeat(MAX_TEXT - 1)}`;
    expect(minute!.byBot[0]).toMatchObject({ sampleUserAgent: shown, samplePath: shown });
    expect(minute!.byClient[0]).toMatchObject({ sampleUserAgent: shown, samplePaths: [shown] });
    expect(minute!.failingPaths).toEqual([{ path: shown, status: 404, requests: 1 }]);
  });

  it('is told on, also where numbers are as large as columns take them', () => {
    const row: fc.Arbitrary<Row> = fc.tuple(
      fc.record({
        timestamp: fc.integer({ min: NOW - 3 * MINUTE_MS, max: NOW }),
        status: fc.nat(65_535),
        bytes_sent: fc.constantFrom(0, Number.MAX_SAFE_INTEGER),
        time_taken_ms: fc.constantFrom(null, 2 ** 32 - 1),
        client_ip: fc.constantFrom('192.0.2.1', '__proto__', 'constructor'),
        user_agent: fc.string({ unit: 'binary' }),
      }),
      fc.record({
        path: fc.string({ unit: 'binary' }),
        query: fc.string(),
        traffic_class: fc.constantFrom(...trafficClasses),
        bot_name: fc.constantFrom('', '__proto__', 'Googlebot'),
      }),
    );
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 20 }), (rows) => {
        const minutes = gather(...rows);
        const sum = minutes.reduce((all, { requests }) => all + requests, 0);
        expect(sum).toBe(rows.length);
        const clients = minutes.flatMap(({ byClient }) => byClient);
        expect(clients.reduce((all, { requests }) => all + requests, 0)).toBe(rows.length);
        const record = { token: 't', websiteId: 'w', storedAt: NOW, minutes };
        expect(() => signalRecord(record)).not.toThrow();
      }),
    );
  });
});
