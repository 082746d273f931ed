/**
 * Lets one loop sleep until it is woken. A wake during the work of the loop is remembered, so no wake is lost between
 * the check for work and the wait.
 */
export interface Signal {
  wake(): void;
  wait(): Promise<void>;
}

/** A signal that is not set. At most one waiter at a time. */
export function createSignal(): Signal {
  let woken = false;
  let release: (() => void) | null = null;
  return {
    wake() {
      woken = true;
      release?.();
    },
    async wait() {
      if (!woken) {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      }
      woken = false;
      release = null;
    },
  };
}
