/** A timer that does not keep the process alive. */
export function later(delayMs: number, act: () => void): NodeJS.Timeout {
  return setTimeout(act, delayMs).unref();
}
