/** Lets so many run at once and others wait, first come, first served. */
export interface Limit {
  /** Rejects with the signal's reason where it fires before it runs. */
  run<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
}

export function createLimit(most: number): Limit {
  const waiting = new Set<() => void>();
  let running = 0;

  function leave(): void {
    running -= 1;
    const [next] = waiting;
    next?.();
  }

  function enter(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const give = () => {
        waiting.delete(go);
        signal.removeEventListener('abort', give);
        reject(signal.reason);
      };
      const go = () => {
        waiting.delete(go);
        signal.removeEventListener('abort', give);
        running += 1;
        resolve();
      };
      if (signal.aborted) reject(signal.reason);
      else if (running < most) go();
      else {
        waiting.add(go);
        signal.addEventListener('abort', give, { once: true });
      }
    });
  }

  return {
    async run(work, signal) {
      await enter(signal);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
