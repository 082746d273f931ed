import type { EventLog, Tail, TailOptions } from './event-log.js';

type Following = Omit<TailOptions, 'onCrash'> & {
  /** Also called for a crash that is thrown to the caller. */
  readonly onCrash?: (error: Error) => void;
};

/** Resolves when all records that were in the topic have been read. @throws the error that ended the reading. */
export async function followLog(log: Pick<EventLog, 'tail'>, options: Following): Promise<Tail> {
  const tail = await log.tail({ onCrash() {}, ...options });
  try {
    await tail.caughtUp;
  } catch (error) {
    await tail.stop();
    throw error;
  }
  return tail;
}

/** Reads the present records of the topic and stops. @throws the error that ended the reading. */
export async function readLog(
  log: Pick<EventLog, 'tail'>,
  options: Omit<Following, 'onCrash'>,
): Promise<void> {
  const tail = await followLog(log, options);
  await tail.stop();
}
