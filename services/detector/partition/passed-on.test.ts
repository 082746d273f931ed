import { describe, expect, test } from 'vitest';
import { passedOnRecord } from '../../../shared/detection/signal-codec.js';
import { MINUTE_MS } from '../../../shared/durations.js';
import {
  createWorld,
  play,
  START,
  startLife,
  tell,
  type World,
} from '../../../test/harness/detector/partition-world.js';

/** More ranges than a website remembers the tokens of. */
const RANGES = 40;
/** Of partition 1, which the website's signals came to before there were more of them. */
const FORMER = 1;

/** A signal a minute, as the owner of the former partition has them. */
function formerly(): World {
  const world = createWorld();
  for (let minute = 0; minute < RANGES; minute += 1)
    tell(world, { at: minute + 1, requests: { [minute]: 2 } });
  return Object.assign(world, { log: world.log.map((record) => ({ ...record, partition: FORMER })) });
}

/** As the former owner passes on its records from the `from`th on. */
function passOn(world: World, former: World, from: number, to = RANGES): void {
  for (const record of former.log.slice(from, to)) {
    const { key, value } = passedOnRecord(record);
    world.log.push({ partition: 0, offset: world.log.length, key, value, appendedAt: record.appendedAt });
  }
}

const requestsOf = ({ health }: World) => [...health.values()].reduce((sum, { value }) => sum + value, 0);

describe('signals that came to a partition before there were more of them', () => {
  test('count once, however often their owner passed them on', async () => {
    const former = formerly();
    const world = createWorld();
    passOn(world, former, 0);
    passOn(world, former, 0, 25);
    passOn(world, former, 0);
    await play(world, startLife(world), 60);
    expect(requestsOf(world)).toBe(2 * RANGES);
  });

  test('count once where the owner of the former partition had saved what it counted of them', async () => {
    const former = formerly();
    former.log.splice(38);
    await play(former, startLife(former), 45);
    const saved = former.states.get('w')!;
    const world = createWorld();
    world.states.set('w', { ...saved, partition: FORMER });
    for (const [key, point] of former.health) world.health.set(key, point);
    world.now = former.now;
    former.log.splice(0, RANGES, ...formerly().log);
    passOn(world, former, 0);
    await play(world, startLife(world, undefined, new Map([[FORMER, RANGES]])), 60);
    expect(requestsOf(world)).toBe(2 * RANGES);
  });

  test('count once where the next owner reads them again', async () => {
    const former = formerly();
    const world = createWorld();
    passOn(world, former, 0);
    const first = startLife(world);
    await play(world, first, 60);
    first.lose();
    expect(requestsOf(world)).toBe(2 * RANGES);
    // They are told again, and what the log kept of them is read from its beginning.
    passOn(world, former, 0);
    world.committed = null;
    world.now = START + 61 * MINUTE_MS;
    await play(world, startLife(world, undefined, new Map([[FORMER, RANGES]])), 65);
    expect(requestsOf(world)).toBe(2 * RANGES);
  });

  test('all count where the former partition is of another log than the saved state', async () => {
    const former = formerly();
    const world = createWorld();
    world.states.set('w', await stateAt(900));
    passOn(world, former, 0);
    world.now = START;
    await play(world, startLife(world, undefined, new Map([[FORMER, RANGES]])), 60);
    expect(requestsOf(world)).toBe(2 * RANGES);
  });

  async function stateAt(offset: number) {
    const before = Object.assign(createWorld(), { now: START - 60 * MINUTE_MS });
    tell(before, { at: -59, requests: { '-60': 0 }, token: 'requests.raw/0/before/mark' });
    await play(before, startLife(before), -40);
    return { ...before.states.get('w')!, partition: FORMER, offset };
  }
});
