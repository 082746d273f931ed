import { afterAll, beforeAll, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../shared/durations.js';
import { insertRows } from '../../../shared/store/insert-rows.js';
import { startTestClickHouse, type TestClickHouse } from '../../../test/harness/clickhouse.js';
import { type CountedRow, countRows } from '../../../test/harness/detector/count-rows.js';
import { FROM, rowOf, stored } from '../../../test/harness/detector/counted-row.js';
import type { CountedSpans } from './counts-reader.js';
import { namedAddresses } from './named-addresses.js';
import { createCountsReader } from './read-counts.js';
import type { AddressKinds } from './span-counts.js';

/** More bots and addresses than a list can contain. */

let store: TestClickHouse;
beforeAll(async () => {
  store = await startTestClickHouse();
});
afterAll(() => store.stop());

const insert = (rows: readonly CountedRow[]) =>
  insertRows(store.clickhouse, {
    table: 'requests',
    rows: rows.map(stored) as never,
    deduplicationToken: rows[0]!.website_id,
  });

const read = (spans: CountedSpans) => createCountsReader(store.clickhouse)(spans);

const FIVE = {
  ...{ websiteIds: ['crowd'], from: FROM, to: FROM + 5 * MINUTE_MS, lengthMs: 5 * MINUTE_MS },
  lists: 'all',
} as const;

it('lists every bot and address that a rule can name, among many addresses and invented names', async () => {
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
  await insert(rows);
  const counts = (await read(FIVE)).get('crowd')!.get(FROM)!;
  expect(counts).toEqual(countRows(rows, FIVE).get('crowd')!.get(FROM)!);
  const ips = counts.byClient.map(({ ip }) => ip);
  expect(ips).toEqual(expect.arrayContaining(['203.0.113.1', '203.0.113.2', '203.0.113.3']));
  expect(counts.byBot).toContainEqual(
    expect.objectContaining({ name: 'Googlebot', verification: 'spoofed' }),
  );
  expect(counts.byBot).toHaveLength(401);
  expect(counts.unlisted).toEqual([]);
});

it('lists as many bots as their texts allow, verifiable claims first, and says that others are missing', async () => {
  const claim = { bot_name: 'Googlebot', bot_family: 'Google', bot_verification: 'spoofed' } as const;
  const long = (text: string, length: number) => text.padEnd(length, '漢');
  const rows = Array.from({ length: 1_900 }, (_, index) =>
    rowOf({
      ...{ website_id: 'names', traffic_class: 'other_bot', bot_verification: 'unverifiable' },
      ...{ bot_name: long(`${index}`, 120), bot_family: long(`${index}`, 120), user_agent: long('', 200) },
      path: long('/', 120),
      ...(index === 0 && claim),
    }),
  );
  await insert(rows);
  const [counts] = (await read({ ...FIVE, websiteIds: ['names'] })).get('names')!.values();
  const { byBot, lacksBots } = counts!;
  expect(lacksBots).toBe(true);
  expect(byBot[0]).toMatchObject({ name: 'Googlebot', verification: 'spoofed' });
  expect(byBot.length).toBeGreaterThan(400);
  expect(JSON.stringify(byBot).length).toBeLessThan(512 * 1024);
});

it('adds up the addresses beyond the list, by kind and claim', async () => {
  const each = (count: number, times: number, made: (address: number, time: number) => Partial<CountedRow>) =>
    Array.from({ length: count * times }, (_, index) => made(index % count, Math.floor(index / count))).map(
      (given) => rowOf({ website_id: 'scan', ...given }),
    );
  const ip = (network: number) => (address: number) => `10.${network}.${address >> 7}.${address & 127}`;
  const probe = (place: number) => ({ path: `/.env${place}`, is_probe: true, status: 404 });
  const tool = {
    traffic_class: 'other_bot',
    bot_verification: 'unverifiable',
    bot_category: 'tool',
  } as const;
  const rows = [
    ...each(340, 16, (address, time) => ({ client_ip: ip(0)(address), ...probe(time) })),
    // Probes of two paths.
    ...each(70, 16, (address, time) => ({ client_ip: ip(1)(address), ...probe(time % 2) })),
    // Addresses that are shared.
    ...each(70, 16, (address, time) => ({ client_ip: ip(2)(address), ...(time < 2 && probe(time)) })),
    ...each(160, 50, (address, time) => ({ client_ip: ip(3)(address), path: `/${time}` })),
    // Addresses that poll a page, and declared bots.
    ...each(160, 50, (address, time) => ({ client_ip: ip(4)(address), path: `/${time % 9}` })),
    ...each(130, 41, (address, time) => ({
      ...{ client_ip: ip(5)(address), path: `/${time}`, ...tool, bot_name: `Taker ${address}` },
      bot_category: address % 2 === 0 ? 'tool' : 'seo',
    })),
    ...each(90, 12, (address) => ({ client_ip: ip(6)(address), status: 401, path: '/log-in' })),
    ...each(90, 12, (address) => ({ client_ip: ip(7)(address), status: 401, ...tool, bot_name: 'curl' })),
    ...each(200, 3, (address) => ({
      ...{ client_ip: ip(8)(address), traffic_class: 'spoofed_bot', bot_verification: 'spoofed' },
      ...{ bot_name: address % 2 === 0 ? 'Googlebot' : 'bingbot' },
    })),
  ];
  await insert(rows);
  for (const lists of ['named', 'all'] as const) {
    const spans = { ...FIVE, websiteIds: ['scan'], lists };
    const counts = (await read(spans)).get('scan')!.get(FROM)!;
    expect(counts).toEqual(countRows(rows, spans).get('scan')!.get(FROM)!);
    const all = namedAddresses(counts, 5);
    const sum = (of: keyof AddressKinds) =>
      all.filter((some) => some[of]).reduce((total, { addresses }) => total + addresses, 0);
    expect(sum('isProbing')).toBe(340);
    expect(sum('isScraping')).toBe(160 + 65);
    expect(sum('isScanning')).toBe(340 + 70);
    expect(sum('isFailing')).toBe(340 + 70 + 90);
  }
});

it('lists the addresses with most failures of a kind, even if many addresses have failures of another kind', async () => {
  const failing = (client_ip: string, status: number, times: number) =>
    Array.from({ length: times }, () => rowOf({ website_id: 'kinds', client_ip, status }));
  const others = Array.from({ length: 20 }, (_, index) => failing(`198.51.100.${index}`, 403, 20));
  const rows = [...others.flat(), ...failing('192.0.2.1', 404, 2), ...failing('192.0.2.2', 503, 1)];
  await insert(rows);
  const spans = { ...FIVE, websiteIds: ['kinds'] };
  const counts = (await read(spans)).get('kinds')!.get(FROM)!;
  expect(counts).toEqual(countRows(rows, spans).get('kinds')!.get(FROM)!);
  const ips = counts.byClient.map(({ ip }) => ip);
  expect(ips).toEqual(expect.arrayContaining(['192.0.2.1', '192.0.2.2']));
});
