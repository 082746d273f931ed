/** A timer that keeps no process alive. */
export function later(delayMs: number, act: () => void): NodeJS.Timeout {
  return setTimeout(act, delayMs).unref();
}
