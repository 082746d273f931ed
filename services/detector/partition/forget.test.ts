import { expect, test } from 'vitest';
import { forgetRecord, signalRecord } from '../../../shared/detection/signal-codec.js';
import { MINUTE_MS } from '../../../shared/durations.js';
import type { NewRecord } from '../../../shared/event-log/event-log.js';
import {
  createWorld,
  Killed,
  type Life,
  play,
  START,
  startLifeWith,
  type World,
} from '../../../test/harness/detector/partition-world.js';
import { clientOf, minuteOf } from '../../../test/harness/detector/signal.js';
import { detectorCore } from '../open-detector.js';

/** An erasure tells the owner to forget an address: what is committed behind that record was saved without it. */

const ADDRESS = '198.51.100.7';

function append(world: World, at: number, { key, value }: NewRecord): number {
  const offset = world.log.length;
  world.log.push({ partition: 0, offset, key, value, appendedAt: START + at * MINUTE_MS });
  return offset;
}

function tellOf(world: World, at: number, ip: string, websiteId = 'w'): void {
  const byClient = [clientOf({ ip, requests: 9 })];
  const minutes = [minuteOf({ minute: START + Math.floor(at) * MINUTE_MS, requests: 9, byClient })];
  const token = `requests.raw/0/${world.log.length}/m`;
  append(world, at, signalRecord({ token, websiteId, storedAt: START + at * MINUTE_MS, minutes }));
}

const forget = (world: World, at: number, websiteId = 'w', address = ADDRESS) =>
  append(world, at, forgetRecord({ websiteId, address }));

const saved = (world: World) => [...world.states.values()].map(({ state }) => state).join('\n');
const isPast = (world: World, offset: number) => (world.committed?.offset ?? 0) > offset;

/** Of the address for eight minutes, saved after five; then it is to be forgotten, and others go on. */
function visitedWorld(): { world: World; told: number } {
  const world = createWorld();
  for (let minute = 0; minute < 8; minute += 1) {
    tellOf(world, minute + 0.9, ADDRESS);
    tellOf(world, minute + 0.95, '192.0.2.9');
  }
  const told = forget(world, 8);
  for (let minute = 8; minute < 12; minute += 1) tellOf(world, minute + 0.9, '192.0.2.9');
  return { world, told };
}

test('it is saved without the address at once, with all that was learned of the website', async () => {
  const { world, told } = visitedWorld();
  const life = startLifeWith(detectorCore, world);
  await play(world, life, 7.5);
  expect(saved(world)).toContain(ADDRESS);
  const openBefore = life.detector.status().openIntervals;
  await life.detector.push([world.log[told]!]);
  expect(isPast(world, told)).toBe(true);
  expect(saved(world)).not.toContain(ADDRESS);
  expect(saved(world)).toContain('192.0.2.9');
  expect(life.detector.status().openIntervals).toBe(openBefore);
  expect(life.crashes).toEqual([]);
});

test('whenever its owner ends, the next one forgets it, before anybody is told that it did', async () => {
  let steps = 0;
  const countStep = () => {
    steps += 1;
  };
  const { world: counted } = visitedWorld();
  await play(counted, startLifeWith(detectorCore, counted, countStep), 20);
  expect(steps).toBeGreaterThan(10);
  for (let killAt = 1; killAt <= steps; killAt += 1) {
    const { world, told } = visitedWorld();
    let step = 0;
    let isBroken = false;
    const lives: Life[] = [];
    do {
      lives.push(
        startLifeWith(detectorCore, world, () => {
          step += 1;
          isBroken ||= isPast(world, told) && saved(world).includes(ADDRESS);
          if (step === killAt) throw new Killed();
        }),
      );
      await play(world, lives.at(-1)!, 20);
    } while (lives.at(-1)!.isDead());
    expect(lives.flatMap(({ crashes }) => crashes)).toEqual([]);
    expect([killAt, isBroken]).toEqual([killAt, false]);
    expect(isPast(world, told)).toBe(true);
    expect(saved(world)).not.toContain(ADDRESS);
  }
});

test('told while the website is being saved, it is not committed with that', async () => {
  const world = createWorld();
  tellOf(world, 0.5, ADDRESS);
  const [visit] = world.log;
  const told = forget(world, 1);
  let pushing: Promise<void> | null = null;
  const committed: boolean[] = [];
  let isBroken = false;
  const life = startLifeWith(detectorCore, world, async (step) => {
    // Its state is on the way to the store.
    if (step === 'save states' && pushing === null) {
      pushing = life.detector.push([world.log[told]!]);
      while (life.detector.position() <= told) await new Promise((turn) => setImmediate(turn));
    }
    if (step === 'commit done') committed.push(isPast(world, told));
    isBroken ||= isPast(world, told) && saved(world).includes(ADDRESS);
  });
  await life.detector.push([visit!]);
  await life.detector.save();
  expect(saved(world)).toContain(ADDRESS);
  expect(isPast(world, told)).toBe(false);
  await pushing;
  await life.detector.work(world.now);
  expect(saved(world)).not.toContain(ADDRESS);
  expect(isPast(world, told)).toBe(true);
  expect(committed.at(0)).toBe(false);
  expect(isBroken).toBe(false);
  expect(life.crashes).toEqual([]);
});

test('a website that is not known, or is erased, keeps nobody waiting, and nothing of it is kept', async () => {
  const world = createWorld();
  tellOf(world, 0.5, ADDRESS, 'gone');
  tellOf(world, 0.6, '192.0.2.9');
  const life = startLifeWith(detectorCore, world);
  await play(world, life, 1);
  expect(world.states.size).toBe(0);
  world.erased.add('gone');
  for (const [website, address] of [
    ['never seen', ADDRESS],
    ['gone', ''],
  ] as const) {
    const told = forget(world, 2, website, address);
    await life.detector.push([world.log[told]!]);
    expect(isPast(world, told)).toBe(true);
    expect([...world.states.keys()]).toEqual(['w']);
    expect(life.detector.status().websites).toBe(1);
  }
});
