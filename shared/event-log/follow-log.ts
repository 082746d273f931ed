import type { EventLog, Tail, TailOptions } from './event-log.js';

type Following = Omit<TailOptions, 'onCrash'> & {
  /** Also called for a crash that the caller gets as an exception. */
  readonly onCrash?: (error: Error) => void;
};

/** Resolves when everything that was in the topic has been read. @throws what kept it from being read. */
export async function followLog(log: Pick<EventLog, 'tail'>, options: Following): Promise<Tail> {
  let fail: (error: Error) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => {});
  const tail = await log.tail({
    ...options,
    onCrash(error) {
      fail(error);
      options.onCrash?.(error);
    },
  });
  try {
    await Promise.race([tail.caughtUp, failed]);
  } catch (error) {
    await tail.stop();
    throw error;
  }
  return tail;
}

/** Reads what is in the topic now, and no further. @throws what kept it from being read. */
export async function readLog(
  log: Pick<EventLog, 'tail'>,
  options: Omit<Following, 'onCrash'>,
): Promise<void> {
  const tail = await followLog(log, options);
  await tail.stop();
}
