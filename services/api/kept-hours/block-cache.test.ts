import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';
import { inTurns } from '../../../shared/pacing/turns.js';
import { keptRollupOf } from '../../../shared/reads/hours/kept-rollups.js';
import { packBlock, type RowBlock, type Rows } from '../../../shared/reads/hours/row-block.js';
import { clientIps } from '../../../shared/reads/sql/read-tables.js';
import { createDataVersions } from '../answer-cache/data-versions.js';
import { createBlockCache } from './block-cache.js';

const rollup = keptRollupOf(clientIps)!;
const HOUR = 500_000;
const span = { start: HOUR * HOUR_MS, unit: HOUR_MS, from: 0, to: 1 };

function open(maxBytes = 1024 ** 2) {
  const clock = { now: (HOUR + 5) * HOUR_MS };
  const now = () => clock.now;
  const versions = createDataVersions(now);
  const cache = createBlockCache({ versions, maxBytes, now });
  const plan = (websiteId = 'a') => {
    const planned = cache.plan(websiteId, rollup, [span])!;
    cache.register(planned.website);
    return planned;
  };
  return {
    clock,
    versions,
    cache,
    plan,
    /** Stores an hour with these addresses. */
    async fill(addresses: readonly string[], { website, planned } = plan()) {
      const [{ name, missing }] = planned as [(typeof planned)[number]];
      const block = await pack(addresses, missing[0]!.version, website.dictionaries);
      await cache.put(website, rollup, new Map([[name, block]]));
    },
  };
}

function pack(
  addresses: readonly string[],
  version: number,
  dictionaries: Parameters<typeof packBlock>[3],
): Promise<RowBlock> {
  const others = addresses.map(() => '');
  const valuesOf = (name: string) => (['client_ip', 'network'].includes(name) ? addresses : others);
  const rows: Rows = {
    columns: new Map(rollup.columns.map((name) => [name, { codes: null, values: valuesOf(name) }])),
    figures: new Map(rollup.metrics.map((name) => [name, addresses.map(() => 1)])),
    states: new Map(),
    from: 0,
    to: addresses.length,
  };
  const head = {
    start: span.start,
    unit: span.unit,
    versions: [version],
    expiresAt: [Number.POSITIVE_INFINITY],
  };
  return inTurns(packBlock(rollup, head, [rows], dictionaries), async () => {});
}

it('keeps addresses in memory after a change of one hour, and none after a change of all rows', async () => {
  const { versions, plan, fill, cache } = open();
  await fill(['192.0.2.7']);
  const { website, planned } = plan();
  expect(planned[0]!.missing).toEqual([]);
  expect(website.dictionaries.of('client_ip')!.values).toEqual(['192.0.2.7']);
  versions.raise([{ websiteId: 'a', firstHour: HOUR, lastHour: HOUR }]);
  expect(plan().website).toBe(website);
  expect(plan().planned[0]!.missing.length).toBe(1);
  versions.raise([{ websiteId: 'a' }]);
  expect(plan().website.dictionaries.of('client_ip')!.values).toEqual([]);
  expect(plan().planned[0]!.block).toBeUndefined();
  expect(cache.bytes()).toBeLessThan(1_000);
});

it('forgets addresses after a day', async () => {
  const { plan, fill, clock } = open();
  await fill(['192.0.2.7']);
  clock.now += DAY_MS;
  expect(plan().website.dictionaries.of('client_ip')!.values).toEqual([]);
});

it('does not store rows that were read before a change of all rows', async () => {
  const { versions, plan, fill } = open();
  const before = plan();
  versions.raise([{ websiteId: 'a' }]);
  plan();
  await fill(['192.0.2.7'], before);
  expect(plan().planned[0]!.block).toBeUndefined();
});

it('counts the memory of addresses, and replaces the dictionaries of a website with too many', async () => {
  const { plan, fill, cache } = open(200_000);
  const addresses = Array.from({ length: 300 }, (_, index) => `192.0.2.${index}`);
  const before = plan();
  await fill(addresses, before);
  const { website } = before;
  expect(cache.bytes()).toBeGreaterThan(website.dictionaries.bytes() + website.blockBytes);
  expect(website.dictionaries.bytes()).toBeGreaterThan(50_000);
  expect(plan().website).not.toBe(website);
});
