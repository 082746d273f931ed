import { utimes } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { DAY_MS, SECOND_MS } from '../../shared/durations.js';
import { filesOf, type JobKind } from './job-kinds.js';
import { deliveriesOf, type JobWebsite, type JobWorld } from './job-world.js';

/** What waits for the next look, or for the session of who was killed. */
const DONE_WITHIN = { timeout: 90_000, interval: 250 };
/** Of each piece of what the store is told and answers: jobs last long enough to be killed in their middle. */
const STORE_DELAY_MS = 50;

/** Of each kind that is played one a round. */
export type JobWebsites = ReadonlyMap<JobKind, readonly JobWebsite[]>;

export type JobRounds = ReturnType<typeof createRounds>;

/** Plays rounds in each of which every kind of job is begun on a website of its own. */
export function createRounds(
  world: JobWorld,
  {
    websites,
    draw,
  }: { readonly websites: JobWebsites /** In [0, 1), for the moments. */; readonly draw: () => number },
) {
  const kinds = [...websites.keys()];
  const { receivers } = world;
  let round = -1;
  const reference = new Map<JobKind, unknown>();
  /** Of each kind, from when a worker was at it until it was done. */
  const durations = new Map<JobKind, number>();
  /** How often each message may have come twice: it had come and was not recorded yet when its process ended, or began to hang. */
  const mayRepeat = new Map<string, number>();
  const websiteOf = (kind: JobKind, at = round) => websites.get(kind)![at]!;

  async function untilBegun(kind: JobKind): Promise<void> {
    const deadline = Date.now() + DONE_WITHIN.timeout;
    while (!(await kind.hasBegun(world, websiteOf(kind)))) {
      if (Date.now() > deadline) throw new Error(`${kind.name} is not begun`);
      await sleep(10);
    }
  }

  return {
    durations,
    /** Begins a job of each kind, `last` behind the others. */
    async begin(last: JobKind): Promise<void> {
      round += 1;
      world.cluster.clickhouseProxy.slow(STORE_DELAY_MS);
      await Promise.all(
        kinds.map((kind) => (kind === last ? undefined : kind.begin(world, websiteOf(kind)))),
      );
      await last.begin(world, websiteOf(last));
    },
    /** The round that nothing disturbs: what the others are held against. */
    async learn(): Promise<void> {
      await Promise.all(
        kinds.map(async (kind) => {
          await untilBegun(kind);
          const begun = performance.now();
          const result = () => kind.result(world, websiteOf(kind));
          await expect.poll(result, { message: kind.name, ...DONE_WITHIN }).toMatchObject(kind.done);
          durations.set(kind, performance.now() - begun);
          reference.set(kind, await result());
        }),
      );
    },
    /** Some moment while a worker is at it. */
    async middleOf(kind: JobKind): Promise<void> {
      await untilBegun(kind);
      await sleep(durations.get(kind)! * draw());
    },
    /** After a process has ended, or hangs. @returns the kinds that had begun and were not done. */
    async open(): Promise<readonly JobKind[]> {
      world.cluster.clickhouseProxy.pass();
      // What was on its way has come.
      await sleep(SECOND_MS / 2);
      const copies = receivers.copies();
      for (const kind of kinds)
        for (const { delivery_id: id, status } of await deliveriesOf(world, websiteOf(kind)))
          if (status === 'pending' && copies.has(id)) mayRepeat.set(id, (mayRepeat.get(id) ?? 0) + 1);
      const open = await Promise.all(
        kinds.map(async (kind) => {
          const own = websiteOf(kind);
          if (!(await kind.hasBegun(world, own))) return [];
          return isDeepStrictEqual(await kind.result(world, own), reference.get(kind)) ? [] : [kind];
        }),
      );
      return open.flat();
    },
    /** Of this round, or of all. */
    async expectOneResult(from = round): Promise<void> {
      for (let at = from; at <= round; at += 1)
        for (const kind of kinds)
          await expect
            .poll(() => kind.result(world, websiteOf(kind, at)), {
              message: `${kind.name} of round ${at}`,
              ...DONE_WITHIN,
            })
            .toEqual(reference.get(kind));
      const repeats = [...receivers.copies()].map(([id, copies]) => [id, copies - 1] as const);
      for (const [id, more] of repeats)
        expect([receivers.channelOf(id), id, more]).toEqual([
          receivers.channelOf(id),
          id,
          Math.min(more, mayRepeat.get(id) ?? 0),
        ]);
    },
    repeats: () => [...receivers.copies().values()].reduce((sum, copies) => sum + copies - 1, 0),
  };
}

/** A day later, as its files have it, nothing is left but what completed exports have. */
export async function expectNoOrphans(world: JobWorld, websites: JobWebsites): Promise<void> {
  const exporting = [...websites].flatMap(([{ name }, own]) => (name === 'export' ? own : []));
  const longAgo = new Date(Date.now() - 2 * DAY_MS);
  const { stored } = await filesOf(world, exporting);
  for (const path of stored) await utimes(path, longAgo, longAgo);
  await expect
    .poll(async () => {
      const found = await filesOf(world, exporting);
      return found.stored.filter((path) => !found.wanted.includes(path));
    }, DONE_WITHIN)
    .toEqual([]);
  const { stored: left, wanted } = await filesOf(world, exporting);
  expect(left).toEqual(wanted);
}
