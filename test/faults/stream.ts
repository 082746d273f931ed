import { setTimeout as sleep } from 'node:timers/promises';
import type { Deliveries } from '../harness/every-row-once.js';
import { LINES_PER_UPLOAD, linesOf, sendUpload } from '../harness/request-stream.js';
import type { Cluster } from './cluster.js';

const SENDERS = 4;
const PAUSE_MS = 25;
/** Share of uploads: a shipper with a lost answer sends the same body again. */
const SENT_TWICE = 0.05;

export interface UploadStream {
  readonly deliveries: Map<string, Deliveries>;
  /** Sends nothing until `resume`; resolves after the last answer. */
  pause(): Promise<void>;
  resume(): void;
  /** Sends no more; resolves after the last answer. */
  stop(): Promise<void>;
}

/**
 * Uploads with unique names from several concurrent senders, until stopped.
 * @param turn resolves when a sender that has its answer may send again.
 */
export function startUploadStream(
  { credentials }: Pick<Cluster, 'credentials'>,
  name: string,
  random: () => number,
  turn: () => Promise<unknown> = () => sleep(PAUSE_MS),
): UploadStream {
  const deliveries = new Map<string, Deliveries>();
  let next = 0;
  let sending = true;
  let going: Promise<void> = Promise.resolve();
  let go: () => void = () => {};
  const underWay = new Set<Promise<void>>();

  async function send(): Promise<void> {
    while (sending) {
      const upload = sendOne();
      underWay.add(upload);
      await upload.finally(() => underWay.delete(upload));
      await turn();
      await going;
    }
  }

  async function sendOne(): Promise<void> {
    const upload = `${name}u${next++}`;
    const body = linesOf(upload);
    const times = random() < SENT_TWICE ? 2 : 1;
    const delivery: Deliveries = { sent: 0, answered: 0 };
    deliveries.set(upload, delivery);
    for (let time = 0; time < times; time++) {
      delivery.sent += 1;
      const accepted = await sendUpload(credentials, body);
      if (accepted === LINES_PER_UPLOAD) delivery.answered += 1;
      else if (accepted !== null) throw new Error(`${upload}: ${accepted} accepted`);
    }
  }

  const senders = Array.from({ length: SENDERS }, send);
  return {
    deliveries,
    async pause() {
      going = new Promise((resume) => {
        go = resume;
      });
      await Promise.all(underWay);
    },
    resume: () => go(),
    async stop() {
      sending = false;
      go();
      await Promise.all(senders);
    },
  };
}
