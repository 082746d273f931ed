import type { ControlPlane } from '../../../shared/control/control-plane.js';
import { type ForgetAddress, forgetRecord } from '../../../shared/detection/arrival-codec.js';
import { SECOND_MS } from '../../../shared/durations.js';
import { DETECTOR_GROUP } from '../../../shared/event-log/consumer-groups.js';
import type { EventLog } from '../../../shared/event-log/event-log.js';
import { inPieces } from '../../../shared/pacing/in-pieces.js';
import type { ErasureScope } from './erasure-scope.js';
import type { ErasureSubject } from './subject.js';

/**
 * Detectors keep in memory what they have found, and save it. An erasure reaches them by the log that they read: the owner of each website
 * reads the order after all arrivals before it, forgets, saves what is left, and then commits past the record. Whatever it was writing
 * until then is written.
 */
export interface DetectorNotice {
  /**
   * Tells the owners, and waits for them. @returns whether they have taken all that was told so far, now and before; once they had not in
   * time, later calls only look. @throws LogUnavailableError
   */
  tell(): Promise<boolean>;
}

export interface DetectorNoticeOptions {
  readonly log: Pick<EventLog, 'append' | 'committed'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
  /** How long the owners are waited for; default ANSWER_MS. */
  readonly answerMs?: number | undefined;
}

const TOPIC = 'requests.stored';
/** Owners save at once; where they save something else already, within that and five seconds. */
const ANSWER_MS = 30 * SECOND_MS;
const LOOK_MS = 200;
/** Of one append. */
const RECORDS = 2_000;

/** @param toForget what is to be told, by website, as it is at each call; nothing: nobody is waited for. */
export function createDetectorNotice(
  toForget: () => readonly ForgetAddress[],
  { log, now, sleep, answerMs = ANSWER_MS }: DetectorNoticeOptions,
): DetectorNotice {
  /** Offset of the last record told, by partition. */
  const told = new Map<number, number>();
  let isPatient = true;

  async function haveTaken(): Promise<boolean> {
    const commits = await log.committed(TOPIC, DETECTOR_GROUP);
    return [...told].every(([partition, offset]) => (commits.get(partition)?.offset ?? 0) > offset);
  }

  return {
    async tell() {
      for (const piece of inPieces(toForget(), RECORDS)) {
        const records = piece.map((one) => forgetRecord(one));
        for (const { partition, offset } of await log.append(TOPIC, records)) told.set(partition, offset);
      }
      if (told.size === 0) return true;
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
 * What the owners of websites are told. Of an address every website's: what a detector remembers can't be told from rows, which may be
 * gone already. Of an erased website that everything is to be saved: then nothing of it is being written any more.
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
