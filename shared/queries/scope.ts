/** What every read is narrowed to, resolved once per call; nothing later asks the clock. */

/** Half-open, milliseconds since the epoch: start <= t < end. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

export interface Scope {
  readonly websiteId: string;
  readonly window: Window;
  /** ISO 3166-1 alpha-2, upper case; empty: every country. */
  readonly countries: readonly string[];
}

/** The window of the same length that ends where this one starts. */
export function previousWindow({ start, end }: Window): Window {
  return { start: start - (end - start), end: start };
}
