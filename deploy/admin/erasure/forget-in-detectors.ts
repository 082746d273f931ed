import type { ControlPlane } from '../../../shared/control/control-plane.js';
import { type ForgetAddress, forgetRecord } from '../../../shared/detection/arrival-codec.js';
import { SECOND_MS } from '../../../shared/durations.js';
import { DETECTOR_GROUP } from '../../../shared/event-log/consumer-groups.js';
import type { EventLog } from '../../../shared/event-log/event-log.js';
import { inPieces } from '../../../shared/pacing/in-pieces.js';
import type { ErasureScope } from './erasure-scope.js';
import type { ErasureSubject } from './subject.js';

/**
 * Detectors keep their findings in memory and save them. An erasure sends orders through the log that they read. The owner of each
 * website reads all earlier arrivals, then the order. It forgets the subject, saves its state, and then commits past the record.
 * All its earlier writes have ended by then.
 */
export interface DetectorNotice {
  /**
   * Sends the orders to the owners and waits for their commits. After one timeout, later calls do not wait.
   * @returns whether the owners have committed past all orders of this and earlier calls. @throws LogUnavailableError
   */
  tell(): Promise<boolean>;
}

export interface DetectorNoticeOptions {
  readonly log: Pick<EventLog, 'append' | 'committed'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
  /** Timeout for the owners, in milliseconds; default ANSWER_MS. */
  readonly answerMs?: number | undefined;
}

const TOPIC = 'requests.stored';
/** Owners save at once. If another save is running, they save within its duration plus five seconds. */
const ANSWER_MS = 30 * SECOND_MS;
const LOOK_MS = 200;
/** Most records of one append. */
const RECORDS = 2_000;

/** @param toForget returns the orders by website, at each call. If there are none, `tell` does not wait. */
export function createDetectorNotice(
  toForget: () => readonly ForgetAddress[],
  { log, now, sleep, answerMs = ANSWER_MS }: DetectorNoticeOptions,
): DetectorNotice {
  /** Offset of the last order, by partition. */
  const notified = new Map<number, number>();
  let isPatient = true;

  async function haveTaken(): Promise<boolean> {
    const commits = await log.committed(TOPIC, DETECTOR_GROUP);
    return [...notified].every(([partition, offset]) => (commits.get(partition)?.offset ?? 0) > offset);
  }

  return {
    async tell() {
      for (const piece of inPieces(toForget(), RECORDS)) {
        const records = piece.map((one) => forgetRecord(one));
        for (const { partition, offset } of await log.append(TOPIC, records)) notified.set(partition, offset);
      }
      if (notified.size === 0) return true;
      const until = now() + (isPatient ? answerMs : 0);
      for (;;) {
        isPatient = await haveTaken();
        if (isPatient || now() >= until) return isPatient;
        await sleep(LOOK_MS);
      }
    },
  };
}

/**
 * Orders to the owners of websites. An address goes to the owners of all websites: rows do not show which detectors remember it, since
 * they may be erased already. For an erased website the order is to save: afterwards no write of the website is running.
 */
export function toForget(
  subject: ErasureSubject,
  scope: ErasureScope | null,
  control: ControlPlane,
): readonly ForgetAddress[] {
  if (subject.kind !== 'address')
    return [...scope!.websites].map((websiteId) => ({ websiteId, address: '' }));
  const { address, websiteId: only } = subject;
  const websiteIds = only === null ? [...control.state().websites.values()].map(({ id }) => id) : [only];
  return websiteIds.map((websiteId) => ({ websiteId, address }));
}
