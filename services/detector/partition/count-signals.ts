import type { Signal } from '../../../shared/detection/signal.js';
import { decodeSignalRecord, type SignalRecord } from '../../../shared/detection/signal-codec.js';
import type { LogRecord, Position } from '../../../shared/event-log/event-log.js';
import type { Logger } from '../../../shared/log.js';
import { textsNaming } from '../../../shared/requests/naming-address.js';
import { createTurns } from '../../../shared/turns.js';
import type { DetectorCore } from '../core.js';
import type { DetectorStore } from '../detector-store.js';
import { keepTrying, type Trying } from '../keep-trying.js';
import type { DetectorMetrics } from '../metrics.js';
import { takeSignal } from '../signals/website-signals.js';
import { adoptStored } from './adopt-stored.js';
import { counting, type OpenIntervals } from './open-intervals.js';
import { forgetInWebsite, newTrackedWebsite, type TrackedWebsite } from './tracked-website.js';
import type { OutcomeWriter } from './write-outcome.js';

/** What an owner has in memory of its partition. */
export interface Books<State> {
  readonly websites: Map<string, TrackedWebsite<State>>;
  /** The next offset that is to be counted. */
  position: number;
  /** Records before it were in the log when the partition was taken over: they may have been counted before. */
  end: number;
  /** Of all websites. */
  readonly open: OpenIntervals;
  /** An erasure waits for the commit of what is counted by now. */
  isSaveAsked: boolean;
}

export interface CountingDependencies<State> {
  readonly partition: number;
  readonly books: Books<State>;
  readonly core: DetectorCore<State>;
  readonly store: Pick<DetectorStore, 'alertsSeen'>;
  readonly writer: Pick<OutcomeWriter<State>, 'tell'>;
  /** Whether signals of the website come to this partition. */
  isOwn(websiteId: string): boolean;
  isErased(websiteId: string): boolean;
  /** Appends records to `requests.signals` again, to the partition that is theirs now. */
  forward(records: readonly LogRecord[]): Promise<void>;
  readonly trying: Trying;
  now(): number;
  readonly metrics: Pick<DetectorMetrics, 'signals' | 'unreadable' | 'ignoredMinutes'>;
  readonly logger: Logger;
}

/** Whether what stood there is not counted yet; from now on it is. Records of one partition come in their order. @param origin undefined: it was not passed on */
function isFirstFrom(held: Map<number, number>, origin: Position | undefined): boolean {
  if (origin === undefined) return true;
  const { partition, offset } = origin;
  if (offset < (held.get(partition) ?? 0)) return false;
  held.set(partition, offset + 1);
  return true;
}

type ReadRecord = readonly [record: LogRecord, read: SignalRecord];

/**
 * Counts records of the partition, in their order. @returns what does it.
 * @throws (of that) PartitionLeftError
 */
export function createSignalCounter<State>(
  deps: CountingDependencies<State>,
): (records: readonly LogRecord[]) => Promise<void> {
  const { partition, books, core, store, metrics, logger, trying, now } = deps;
  const giveTurn = createTurns();

  function readable({ value, offset }: LogRecord): SignalRecord | null {
    try {
      return decodeSignalRecord(value);
    } catch (error) {
      leftOut(error, { offset });
      return null;
    }
  }

  function leftOut(error: unknown, of: object): void {
    metrics.unreadable.inc();
    logger.error({ err: error, partition, ...of }, 'a signal can not be read: left out');
  }

  function take(offset: number, read: SignalRecord): void {
    const website = books.websites.get(read.websiteId);
    books.position = offset + 1;
    // Erased meanwhile, or in its saved state.
    if (website === undefined || offset < website.heldBefore) return;
    if (!isFirstFrom(website.signals.held, read.origin)) return;
    const isChanged = read.kind === 'signal' ? add(website, read.signal) : forget(website, read.address);
    if (!isChanged) return;
    website.unsavedFrom ??= offset;
    website.isChanged = true;
  }

  /** A record that fails to be counted would fail at each start: it is left out, and the others go on. */
  function takeOrLeave(offset: number, read: SignalRecord): void {
    try {
      take(offset, read);
    } catch (error) {
      leftOut(error, { offset, website_id: read.websiteId });
    }
  }

  function add(website: TrackedWebsite<State>, signal: Signal): boolean {
    const taken = counting(books.open, website, () => takeSignal(website.signals, signal));
    metrics.signals.inc({ outcome: taken === null ? 'repeated' : 'counted' });
    if (taken !== null && taken.ignored > 0) metrics.ignoredMinutes.inc(taken.ignored);
    return true;
  }

  const forget = (website: TrackedWebsite<State>, address: string): boolean =>
    address !== '' &&
    counting(books.open, website, () => forgetInWebsite(core, website, textsNaming(address)));

  /** Websites that were not known. What an owner before this one has stored of them, before it saved them, counts. */
  async function meetNew(taken: readonly ReadRecord[]): Promise<void> {
    const met = new Map<string, TrackedWebsite<State>>();
    const mayBeStored = new Set<string>();
    for (const [{ offset }, { kind, websiteId }] of taken) {
      if (kind !== 'signal' || books.websites.has(websiteId)) continue;
      if (!met.has(websiteId)) met.set(websiteId, newTrackedWebsite(core, websiteId));
      if (offset < books.end) mayBeStored.add(websiteId);
    }
    const asked = [...met.values()].filter(({ id }) => mayBeStored.has(id));
    const adoption = { core, store, logger, now: now(), tell: deps.writer.tell };
    await keepTrying(() => adoptStored(asked, adoption), trying);
    for (const [id, website] of met) books.websites.set(id, website);
  }

  /**
   * Since there are more partitions another owner counts these. Who sends may know of them later than this owner, or sooner. What was passed on before
   * and came after the takeover would come back again: it is left out. No owner loses by it, since all of a generation share them out by the same number.
   */
  async function passOn(foreign: readonly ReadRecord[]): Promise<void> {
    const onward = foreign.filter(([{ offset }, { origin }]) => !origin || offset < books.end);
    if (onward.length < foreign.length)
      logger.warn({ partition, records: foreign.length - onward.length }, 'signals of another partition');
    if (onward.length > 0) await keepTrying(() => deps.forward(onward.map(([record]) => record)), trying);
  }

  return async (records) => {
    const foreign: ReadRecord[] = [];
    const own: ReadRecord[] = [];
    let isSaveAsked = false;
    for (const record of records) {
      const read = readable(record);
      if (read?.kind === 'forget') isSaveAsked = true;
      if (read === null || deps.isErased(read.websiteId)) continue;
      if (deps.isOwn(read.websiteId)) own.push([record, read]);
      else foreign.push([record, read]);
    }
    await passOn(foreign);
    await meetNew(own);
    for (const [{ offset }, read] of own) {
      if (trying.left.aborted) return;
      takeOrLeave(offset, read);
      await giveTurn();
    }
    books.position = Math.max(books.position, records.at(-1)!.offset + 1);
    books.isSaveAsked ||= isSaveAsked;
  };
}
