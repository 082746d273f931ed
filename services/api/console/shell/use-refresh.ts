import { useEffect, useState } from 'preact/hooks';
import { type Address, periods } from '../address.js';
import { refreshScreen, watchAsOf } from '../api/use-read.js';

const SHORT_WINDOW_HOURS = 168;
const SHORT_MS = 60_000;
/** A long window costs the server more, and a minute changes little in it. */
const LONG_MS = 600_000;

/** Reads all blocks of the screen again at once while the page is visible. A fixed window in the past does not change. */
export function useRefresh({ period }: Address): void {
  const hours = period in periods ? periods[period as keyof typeof periods] : null;
  useEffect(() => {
    if (hours === null) return;
    const timer = setInterval(
      () => {
        if (!document.hidden) refreshScreen();
      },
      hours > SHORT_WINDOW_HOURS ? LONG_MS : SHORT_MS,
    );
    return () => clearInterval(timer);
  }, [hours]);
}

/** The time of the oldest answer on the screen; null while none came. */
export function useAsOf(): number | null {
  const [at, setAt] = useState<number | null>(null);
  useEffect(() => watchAsOf(setAt), []);
  return at;
}
