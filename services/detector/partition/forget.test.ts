import { expect, test } from 'vitest';
import { forgetRecord } from '../../../shared/detection/arrival-codec.js';
import { MINUTE_MS } from '../../../shared/durations.js';
import { botOf } from '../../../test/harness/detector/counts.js';
import { countFakeRows } from '../../../test/harness/detector/fake-core.js';
import {
  append,
  createWorld,
  Killed,
  type Life,
  play,
  START,
  startLife,
  startLifeWith,
  upload,
  type World,
} from '../../../test/harness/detector/partition-world.js';
import type { CountedSpans } from '../counts/counts-reader.js';
import { detectorCore } from '../open-detector.js';

/**
 * An erasure makes the owner forget an address. Everything committed after that record was saved without the
 * address.
 */

const ADDRESS = '198.51.100.7';

/** Requests of a client that uses its address as a name; the website's memory stores the name. */
function tellOf(world: World, at: number, name: string, websiteId = 'w'): void {
  const names = namesOf(world);
  upload(world, { at, website: websiteId, requests: { [Math.floor(at)]: 9 } });
  names.set(world.requests.at(-1)!, name);
}

const allNames = new WeakMap<World, Map<World['requests'][number], string>>();

/** Each of these names is a bot in the owners' counts. */
function namesOf(world: World): Map<World['requests'][number], string> {
  const known = allNames.get(world);
  if (known !== undefined) return known;
  const names = new Map<World['requests'][number], string>();
  allNames.set(world, names);
  world.count = (spans: CountedSpans) => {
    const rows = world.requests.filter(({ storedAt }) => storedAt <= world.now);
    const counts = countFakeRows(rows, spans);
    return new Map(
      [...counts].map(([websiteId, ofWebsite]) => [
        websiteId,
        new Map(
          [...ofWebsite].map(([start, count]) => {
            const own = rows.filter(
              (row) =>
                row.websiteId === websiteId && row.minute >= start && row.minute < start + spans.lengthMs,
            );
            const byBot = [...new Set(own.map((row) => names.get(row)!))].map((name) =>
              botOf({ name, family: name }),
            );
            return [start, { ...count, byBot }];
          }),
        ),
      ]),
    );
  };
  return names;
}

const forget = (world: World, at: number, websiteId = 'w', address = ADDRESS) =>
  append(world, START + at * MINUTE_MS, forgetRecord({ websiteId, address }));

const saved = (world: World) => [...world.states.values()].map(({ state }) => state).join('\n');
const isPast = (world: World, offset: number) => (world.committed?.offset ?? 0) > offset;

/**
 * The address sends for four minutes and is evaluated after six. After eight it is to be forgotten; other
 * clients go on.
 */
function visitedWorld(): { world: World; order: number } {
  const world = createWorld();
  for (let minute = 0; minute < 8; minute += 1) {
    if (minute < 4) tellOf(world, minute + 0.9, ADDRESS);
    tellOf(world, minute + 0.95, '192.0.2.9');
  }
  const order = forget(world, 8);
  for (let minute = 8; minute < 12; minute += 1) tellOf(world, minute + 0.9, '192.0.2.9');
  return { world, order };
}

test('the state is saved at once without the address, and with everything learned about the website', async () => {
  const { world, order } = visitedWorld();
  const life = startLifeWith(detectorCore, world);
  await play(world, life, 7.5);
  expect(saved(world)).toContain(ADDRESS);
  await life.detector.push([world.log[order]!]);
  expect(isPast(world, order)).toBe(true);
  expect(saved(world)).not.toContain(ADDRESS);
  expect(saved(world)).toContain('192.0.2.9');
  expect(life.crashes).toEqual([]);
});

test('the state of a website that its owner has forgotten loses the address too', async () => {
  const { world, order } = visitedWorld();
  await play(world, startLifeWith(detectorCore, world), 7.5);
  expect(saved(world)).toContain(ADDRESS);
  world.arrivals.clear();
  const next = startLifeWith(detectorCore, world);
  await next.detector.push([world.log[order]!]);
  expect(isPast(world, order)).toBe(true);
  expect(saved(world)).not.toContain(ADDRESS);
});

test('if its owner is killed at any step, the next one forgets the address before the order is committed', async () => {
  let steps = 0;
  const countStep = () => {
    steps += 1;
  };
  const { world: counted } = visitedWorld();
  await play(counted, startLifeWith(detectorCore, counted, countStep), 20);
  expect(steps).toBeGreaterThan(10);
  for (let killAt = 1; killAt <= steps; killAt += 1) {
    const { world, order } = visitedWorld();
    let step = 0;
    let isBroken = false;
    const lives: Life[] = [];
    do {
      lives.push(
        startLifeWith(detectorCore, world, () => {
          step += 1;
          isBroken ||= isPast(world, order) && saved(world).includes(ADDRESS);
          if (step === killAt) throw new Killed();
        }),
      );
      await play(world, lives.at(-1)!, 20);
    } while (lives.at(-1)!.isDead());
    expect(lives.flatMap(({ crashes }) => crashes)).toEqual([]);
    expect([killAt, isBroken]).toEqual([killAt, false]);
    expect(isPast(world, order)).toBe(true);
    expect(saved(world)).not.toContain(ADDRESS);
  }
});

test('an order that arrives while the website is being saved is not committed with that save', async () => {
  const world = createWorld();
  tellOf(world, 0.5, ADDRESS);
  const [visit] = world.log;
  const order = forget(world, 1);
  let pushing: Promise<void> | null = null;
  const committed: boolean[] = [];
  let isBroken = false;
  const life = startLifeWith(detectorCore, world, async (step) => {
    // The arrivals are being written to the store.
    if (step === 'save arrivals' && pushing === null) {
      pushing = life.detector.push([world.log[order]!]);
      while (life.detector.position() <= order) await new Promise((turn) => setImmediate(turn));
    }
    if (step === 'commit done') committed.push(isPast(world, order));
    isBroken ||= isPast(world, order) && saved(world).includes(ADDRESS);
  });
  world.now = START + 7 * MINUTE_MS;
  await life.detector.push([visit!]);
  await life.detector.work(world.now);
  expect(saved(world)).toContain(ADDRESS);
  expect(isPast(world, order)).toBe(false);
  await pushing;
  await life.detector.work(world.now);
  expect(saved(world)).not.toContain(ADDRESS);
  expect(isPast(world, order)).toBe(true);
  expect(committed.at(0)).toBe(false);
  expect(isBroken).toBe(false);
  expect(life.crashes).toEqual([]);
});

test('alerts that were stored after the state was saved are kept, even if the owner has no memory for the state', async () => {
  const world = Object.assign(createWorld(), { cacheBytes: 0 });
  for (let minute = 0; minute < 30; minute += 1)
    upload(world, { at: minute + 0.9, requests: { [minute]: minute === 2 || minute === 22 ? 12 : 1 } });
  const first = startLife(world, (step) => {
    if (step === 'save alerts done') throw new Killed();
  });
  await play(world, first, 10);
  expect([first.isDead(), world.states.size, world.arrivals.size]).toEqual([true, 0, 1]);
  const order = forget(world, 9);
  const second = startLife(world);
  await second.detector.push(world.log.filter(({ appendedAt }) => appendedAt <= world.now));
  await second.detector.push([world.log[order]!]);
  await play(world, second, 40);
  expect([...world.alerts.values()].map(({ occurrences }) => occurrences)).toEqual([2]);
});

test('an order for an unknown or erased website is committed at once, and nothing about the website is stored', async () => {
  const world = createWorld();
  tellOf(world, 0.5, ADDRESS, 'gone');
  tellOf(world, 0.6, '192.0.2.9');
  const life = startLifeWith(detectorCore, world);
  await play(world, life, 1);
  expect(world.arrivals.size).toBe(0);
  world.erased.add('gone');
  for (const [website, address] of [
    ['never seen', ADDRESS],
    ['gone', ''],
  ] as const) {
    const order = forget(world, 2, website, address);
    await life.detector.push([world.log[order]!]);
    expect(isPast(world, order)).toBe(true);
    expect([...world.arrivals.keys()]).toEqual(['w']);
    expect(world.states.size).toBe(0);
    expect(life.detector.status().websites).toBe(1);
  }
});
