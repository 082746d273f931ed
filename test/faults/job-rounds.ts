import { utimes } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { DAY_MS, SECOND_MS } from '../../shared/durations.js';
import type { JobKind } from './job-kinds/job-kind.js';
import { filesBelow } from './job-kinds/stored-files.js';
import { deliveriesOf, type JobWebsite, type JobWorld } from './job-world.js';

/** Time for the next poll, or for the session of a killed worker to end. */
const DONE_WITHIN = { timeout: 90_000, interval: 250 };
/** Delay of each chunk to and from the store, so that jobs run long enough to be killed in the middle. */
const STORE_DELAY_MS = 40;

/** Milliseconds. */
interface Middle {
  readonly from: number;
  readonly to: number;
}

/** Websites of each kind, one per round. */
export type JobWebsites = ReadonlyMap<JobKind, readonly JobWebsite[]>;

export type JobRounds = ReturnType<typeof createRounds>;

/** Runs rounds. In each round every kind of job runs on its own website. */
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
  /** For each kind of job, the time from its request until a worker runs it. */
  const middles = new Map<JobKind, Middle>();
  /** In this round, how long before the kill each kind was requested. */
  const leads = new Map<JobKind, number>();
  /** How often each message may be repeated: it was sent but not recorded when its process ended or paused. */
  const mayRepeat = new Map<string, number>();
  const websiteOf = (kind: JobKind, at = round) => websites.get(kind)![at]!;

  async function untilBegun(kind: JobKind): Promise<void> {
    const deadline = Date.now() + DONE_WITHIN.timeout;
    while (!(await kind.hasBegun(world, websiteOf(kind)))) {
      if (Date.now() > deadline) throw new Error(`${kind.name} is not begun`);
      await sleep(10);
    }
  }

  /** The speed of jobs varies with the machine: after a miss the next kill aims closer to the middle, after a hit a little later. */
  function aim(kind: JobKind, found: 'asked' | 'open' | 'done'): void {
    const lead = leads.get(kind);
    if (lead === undefined) return;
    leads.delete(kind);
    const { from, to } = middles.get(kind)!;
    const more = (to - from) / 50;
    if (found === 'open') middles.set(kind, { from: Math.max(0, from - more), to: to + more });
    else if (found === 'asked') middles.set(kind, { from: (from + lead) / 2, to: to + more });
    else middles.set(kind, { from: 0.8 * from, to: Math.max(from, (to + lead) / 2) });
  }

  /** Starts a round without results; the store is slow until `open` was called. */
  function next(): void {
    round += 1;
    world.cluster.clickhouseProxy.slow(STORE_DELAY_MS);
  }

  return {
    middles,
    /** An undisturbed round, whose results the others must equal. */
    async learn(): Promise<void> {
      next();
      await Promise.all(
        kinds.map(async (kind) => {
          const asked = performance.now();
          await kind.begin(world, websiteOf(kind));
          await untilBegun(kind);
          const from = performance.now() - asked;
          const result = () => kind.result(world, websiteOf(kind));
          await expect.poll(result, { message: kind.name, ...DONE_WITHIN }).toMatchObject(kind.done);
          middles.set(kind, { from, to: performance.now() - asked });
          reference.set(kind, await result());
        }),
      );
    },
    /** Begins a job of each kind. */
    async begin(): Promise<void> {
      next();
      await Promise.all(kinds.map((kind) => kind.begin(world, websiteOf(kind))));
    },
    /**
     * Begins a job of each kind, the longer ones earlier, so that each is likely to be at its own random point in the middle when this
     * resolves. Waits for the job of `aimed`.
     */
    async beginToMiddle(aimed: JobKind): Promise<void> {
      next();
      const spots = new Map(kinds.map((kind) => [kind, draw()]));
      for (const [kind, spot] of spots) {
        const { from, to } = middles.get(kind)!;
        leads.set(kind, from + (to - from) * spot);
      }
      const longest = Math.max(...leads.values());
      await Promise.all(
        [...leads].map(async ([kind, lead]) => {
          await sleep(longest - lead);
          await kind.begin(world, websiteOf(kind));
          if (kind !== aimed) return;
          await untilBegun(kind);
          const { from, to } = middles.get(kind)!;
          await sleep((to - from) * spots.get(kind)!);
        }),
      );
    },
    /** After a process has ended or paused. @returns the kinds that had begun and were not done. */
    async open(): Promise<readonly JobKind[]> {
      world.cluster.clickhouseProxy.pass();
      // Time for messages in flight to arrive.
      await sleep(SECOND_MS / 2);
      const copies = receivers.copies();
      for (const kind of kinds)
        for (const { delivery_id: id, status } of await deliveriesOf(world, websiteOf(kind)))
          if (status === 'pending' && copies.has(id)) mayRepeat.set(id, (mayRepeat.get(id) ?? 0) + 1);
      const open = await Promise.all(
        kinds.map(async (kind) => {
          const own = websiteOf(kind);
          const hasBegun = await kind.hasBegun(world, own);
          const isDone = isDeepStrictEqual(await kind.result(world, own), reference.get(kind));
          aim(kind, isDone ? 'done' : hasBegun ? 'open' : 'asked');
          return hasBegun && !isDone ? [kind] : [];
        }),
      );
      return open.flat();
    },
    /** Checks this round, or all rounds. */
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

/** A day later by the file times, only files of finished jobs are left. */
export async function expectNoOrphans(world: JobWorld, websites: JobWebsites): Promise<void> {
  const longAgo = new Date(Date.now() - 2 * DAY_MS);
  for (const path of await storedFiles(world)) await utimes(path, longAgo, longAgo);
  const wanted = await wantedFiles(world, websites);
  await expect
    .poll(async () => (await storedFiles(world)).filter((path) => !wanted.has(path)), DONE_WITHIN)
    .toEqual([]);
  expect(await storedFiles(world)).toEqual([...wanted].sort());
}

const storedFiles = async ({ files }: JobWorld) =>
  (await filesBelow(files)).filter((path) => !path.endsWith('/.secret'));

async function wantedFiles(world: JobWorld, websites: JobWebsites): Promise<ReadonlySet<string>> {
  const wanted = new Set<string>();
  for (const [kind, own] of websites)
    for (const website of own)
      for (const path of (await kind.files?.(world, website)) ?? []) wanted.add(path);
  return wanted;
}
