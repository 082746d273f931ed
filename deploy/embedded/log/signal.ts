/**
 * Lets one loop sleep until somebody has something for it. A wake that comes while the loop is busy is
 * remembered, so none is lost between "nothing there" and "wait".
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
