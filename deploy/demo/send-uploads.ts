import { randomUUID } from 'node:crypto';
import { DemoFailure } from '../import/instance.js';
import { createPartSender, type SendOptions } from '../import/send-part.js';
import type { Upload } from './uploads.js';

const UPLOADS_AT_ONCE = 3;
/** Exit codes of the command line. */
const UNREACHABLE = 6;
const INCOMPLETE = 1;

export interface DemoSenderOptions extends Omit<SendOptions, 'onWait'> {
  /** Prints a line for the person at the terminal. */
  readonly print: (text: string) => void;
}

/** Sends all uploads, a few at a time, and prints each tenth of the expected number. The first failure stops the others. */
export function createDemoSender({ print, ...options }: DemoSenderOptions) {
  const run = randomUUID();
  let [numbered, hasAnswered] = [0, false];
  const send = createPartSender({
    ...options,
    onWait(reason, milliseconds) {
      if (!hasAnswered && reason.includes("can't be reached"))
        throw new DemoFailure(`${reason}; start Loglane with \`npm start\` first`, UNREACHABLE);
      print(`waiting ${Math.ceil(milliseconds / 1_000)} s: ${reason}`);
    },
  });

  /** @returns requests that were accepted. @throws DemoFailure, Refused */
  return async function sendAll(uploads: Iterable<Upload>, expected: number): Promise<number> {
    const queue = uploads[Symbol.iterator]();
    let [accepted, printed] = [0, 0];
    async function sendSome(): Promise<void> {
      for (let next = queue.next(); next.done !== true; next = queue.next()) {
        const taken = await send([next.value.body], `demo-${run}-${numbered++}`);
        hasAnswered = true;
        if (taken.rejected > 0) {
          const first = JSON.stringify(taken.errors[0]);
          throw new DemoFailure(`${taken.rejected} lines were rejected, the first: ${first}`, INCOMPLETE);
        }
        accepted += taken.accepted;
        const tenths = Math.min(10, Math.floor((10 * accepted) / expected));
        if (tenths > printed) print(`${tenths * 10} % sent (${accepted} requests)`);
        printed = tenths;
      }
    }
    try {
      await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, sendSome));
    } finally {
      queue.return?.();
    }
    return accepted;
  };
}
