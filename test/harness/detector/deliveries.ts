import type { CountedSpans, CountsByWebsite } from '../../../services/detector/counts/counts-reader.js';
import { detectorCore } from '../../../services/detector/open-detector.js';
import type { Alert } from '../../../shared/alerts/alert.js';
import type { Arrival } from '../../../shared/detection/arrival.js';
import { arrivalRecord } from '../../../shared/detection/arrival-codec.js';
import { INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import { MINUTE_MS, SECOND_MS } from '../../../shared/durations.js';
import { partitionOf } from '../../../shared/event-log/partition-of.js';
import type { StoredRequest } from '../stored-requests.js';
import { type CountedVerdict, countRows } from './count-rows.js';
import { append, createWorld, Killed, type Life, startLifeWith, type World } from './partition-world.js';
import type { Random } from './series.js';

/** Delivers rows to the store and to the detector in parts, and returns the resulting alerts. */

/** Rows that are stored together. */
export interface Part {
  /** When they are stored, milliseconds since the epoch; they were received a second before. */
  readonly storedAt: number;
  readonly rows: readonly StoredRequest[];
  /** Whether they are already stored, because an upload was repeated. */
  readonly isRepeated?: boolean;
}

/** An upload in parts of these sizes, in this order, with random delays between them. */
export function uploaded(
  rows: readonly StoredRequest[],
  sizes: readonly number[],
  at: number,
  longestPauseMs: number,
  random: Random,
): Part[] {
  let begin = 0;
  let storedAt = at;
  return sizes.map((size) => {
    const part = { storedAt: Math.floor(storedAt), rows: rows.slice(begin, begin + size) };
    begin += size;
    storedAt += random() * longestPauseMs;
    return part;
  });
}

export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const all = [...items];
  for (let at = all.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [all[at], all[other]] = [all[other]!, all[at]!];
  }
  return all;
}

/** @returns sizes that add up to `count` */
export function sizesOf(count: number, least: number, most: number, random: Random): number[] {
  const sizes: number[] = [];
  for (let left = count; left > 0; left -= sizes.at(-1)!)
    sizes.push(Math.min(left, least + Math.floor(random() * (most - least + 1))));
  return sizes;
}

/** Batches of one website's shippers: each sends its new rows after a random delay up to `longestBatchMs`. */
export function shipped(rows: readonly StoredRequest[], longestBatchMs: number, random: Random): Part[] {
  const parts: Part[] = [];
  for (const ofWebsite of byWebsite(rows).values()) {
    let batch: StoredRequest[] = [];
    let sentAt = 0;
    const send = () => {
      if (batch.length > 0) parts.push({ storedAt: Math.floor(sentAt + SECOND_MS), rows: batch });
      batch = [];
    };
    for (const row of ofWebsite) {
      if (row.timestamp > sentAt) {
        send();
        sentAt = row.timestamp + random() * longestBatchMs;
      }
      batch.push(row);
    }
    send();
  }
  return parts;
}

/**
 * The same parts, where each verified or spoofed crawler's address is looked up at its first request, for a
 * bounded time.
 */
export function lookedUp(
  parts: readonly Part[],
  longestMs: number,
  random: Random,
): { readonly parts: Part[]; readonly verdicts: CountedVerdict[] } {
  const verdicts = new Map<string, CountedVerdict>();
  const pendingOf = (row: StoredRequest, storedAt: number): StoredRequest => {
    const { website_id, bot_family, client_ip, bot_verification: status } = row;
    if (status !== 'verified' && status !== 'spoofed') return row;
    const claim = `${website_id} ${bot_family} ${client_ip}`;
    const at = Math.floor(storedAt + random() * longestMs);
    const verdict = verdicts.get(claim) ?? { website_id, bot_family, client_ip, status, at };
    verdicts.set(claim, verdict);
    return verdict.at <= storedAt ? row : { ...row, bot_verification: 'pending' };
  };
  const inOrder = [...parts].sort((a, b) => a.storedAt - b.storedAt);
  const pending = inOrder.map(({ storedAt, rows }) => ({
    storedAt,
    rows: rows.map((row) => pendingOf(row, storedAt)),
  }));
  return { parts: pending, verdicts: [...verdicts.values()] };
}

/** Batches of a server with a timer: at the end of each of these times. */
export function sentEvery(rows: readonly StoredRequest[], everyMs: number): Part[] {
  const parts = new Map<number, StoredRequest[]>();
  for (const row of rows) {
    const storedAt = Math.ceil((row.timestamp + 1) / everyMs) * everyMs + SECOND_MS;
    parts.set(storedAt, [...(parts.get(storedAt) ?? []), row]);
  }
  return Array.from(parts, ([storedAt, ofPart]) => ({ storedAt, rows: ofPart }));
}

export interface Owners {
  readonly partitions: number;
  /** Characters of states that are cached. */
  readonly cacheBytes: number;
  /** Numbers of the steps at which an owner is killed, counted over all owners. */
  readonly kills: readonly number[];
}

export const ONE_OWNER: Owners = { partitions: 1, cacheBytes: Number.POSITIVE_INFINITY, kills: [] };

export interface Played {
  readonly from: number;
  readonly to: number;
  readonly tickMs: number;
}

/** @returns the final alerts in the store */
export async function alertsOf(
  parts: readonly Part[],
  owners: Owners,
  { from, to, tickMs }: Played,
  verdicts: readonly CountedVerdict[] = [],
): Promise<Alert[]> {
  const inOrder = [...parts].sort((a, b) => a.storedAt - b.storedAt);
  const count = createCounter(inOrder, verdicts);
  const shared = createWorld();
  const ids = [...new Set(parts.flatMap(({ rows }) => rows.map(({ website_id }) => website_id)))];
  const worlds = Array.from({ length: owners.partitions }, (_, partition): World => {
    const { alerts, health, states, arrivals } = shared;
    const world = Object.assign(createWorld(), {
      alerts,
      health,
      states,
      arrivals,
      now: from,
      cacheBytes: owners.cacheBytes,
    });
    world.count = (spans) => count(spans, world.now);
    for (const id of ids) if (partitionOf(id, owners.partitions) !== partition) world.foreign.add(id);
    return world;
  });
  for (const part of inOrder)
    for (const arrival of arrivalsIn(part))
      append(
        worlds[partitionOf(arrival.websiteId, owners.partitions)]!,
        part.storedAt,
        arrivalRecord(arrival),
      );
  const kills = new Set(owners.kills);
  let steps = 0;
  await Promise.all(
    worlds.map((world) =>
      playOut(world, { from, to, tickMs }, () => {
        steps += 1;
        if (kills.has(steps)) throw new Killed();
      }),
    ),
  );
  return [...shared.alerts.values()];
}

/** One owner after another, until the end. */
async function playOut(world: World, { to, tickMs }: Played, onStep: () => void): Promise<void> {
  while (world.now <= to) {
    const life = startLifeWith(detectorCore, world, onStep);
    let next = world.committed?.offset ?? 0;
    while (world.now <= to && !life.isDead()) {
      let end = next;
      while (end < world.log.length && world.log[end]!.appendedAt <= world.now) end += 1;
      if (end > next) await life.detector.push(world.log.slice(next, end));
      next = end;
      await life.detector.work(world.now);
      if (!life.isDead()) world.now += tickMs;
    }
    failOn(life);
    life.lose();
  }
}

function failOn({ crashes, errors }: Life): void {
  if (crashes.length + errors.length > 0) throw crashes[0] ?? new Error(errors[0]);
}

function arrivalsIn({ storedAt, rows }: Part): Arrival[] {
  return [...byWebsite(rows)].map(([websiteId, own]) => {
    const times = own.map(({ timestamp }) => timestamp).sort((a, b) => a - b);
    const floor = (time: number, step: number) => Math.floor(time / step) * step;
    return {
      ...{ websiteId, storedAt, receivedAt: storedAt - SECOND_MS },
      hasPendingClaims: own.some(({ bot_verification }) => bot_verification === 'pending'),
      oldestMinute: floor(times[0]!, MINUTE_MS),
      newestMinute: floor(times.at(-1)!, MINUTE_MS),
      intervals: [...new Set(times.map((time) => floor(time, INTERVAL_MS)))],
    };
  });
}

function byWebsite(rows: readonly StoredRequest[]): Map<string, StoredRequest[]> {
  const groups = new Map<string, StoredRequest[]>();
  for (const row of rows) {
    const own = groups.get(row.website_id) ?? [];
    own.push(row);
    groups.set(row.website_id, own);
  }
  return groups;
}

/** Counts the rows that are stored by a time. Rows of other intervals are skipped. */
function createCounter(
  parts: readonly Part[],
  verdicts: readonly CountedVerdict[],
): (spans: CountedSpans, now: number) => CountsByWebsite {
  const byInterval = new Map<number, { readonly storedAt: number; readonly row: StoredRequest }[]>();
  for (const { storedAt, rows, isRepeated } of parts)
    for (const row of isRepeated ? [] : rows) {
      const interval = Math.floor(row.timestamp / INTERVAL_MS);
      const known = byInterval.get(interval) ?? [];
      known.push({ storedAt, row });
      byInterval.set(interval, known);
    }
  return (spans, now) => {
    const some: StoredRequest[] = [];
    for (let at = Math.floor(spans.from / INTERVAL_MS); at * INTERVAL_MS < spans.to; at += 1)
      for (const { storedAt, row } of byInterval.get(at) ?? []) if (storedAt <= now) some.push(row);
    const decided = verdicts.filter(({ at }) => at <= now);
    return countRows(some, spans, decided);
  };
}
