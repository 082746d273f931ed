import type { AlertType } from '../../../shared/alerts/alert.js';
import { MINUTE_MS } from '../../../shared/durations.js';
import type { Finding, Rule } from '../rules/rule.js';

/** What rules found in their last windows: for K of N, and for causes that silence their effects. Bounded; Maps, for subjects are foreign text. */
export interface FoundHistory {
  /** By `type|subject`: the ends of the last windows in which it was found, in rising order. */
  readonly ends: Map<string, number[]>;
  /** By type: the end of the last window in which anything was found, and in which anything persisted. */
  readonly lastFound: Map<AlertType, number>;
  readonly lastPersisted: Map<AlertType, number>;
}

/** After its last sighting a cause still silences its effects for so long: what it broke needs time to recover. */
const AFTERMATH_MS = 30 * MINUTE_MS;

export function newFoundHistory(): FoundHistory {
  return { ends: new Map(), lastFound: new Map(), lastPersisted: new Map() };
}

/**
 * Notes what a rule found in the window that ends at `end`, whether or not it may be told. Mutates.
 * @param frequencyMs length of the family's windows
 * @returns findings that persist (K of N), or are too strong to wait
 */
export function notePersistence(
  history: FoundHistory,
  { type, persistence }: Rule,
  findings: readonly Finding[],
  end: number,
  frequencyMs: number,
): readonly Finding[] {
  if (findings.length > 0) history.lastFound.set(type, end);
  if (persistence.of === 1) return findings;
  const prefix = `${type}|`;
  const oldest = end - (persistence.of - 1) * frequencyMs;
  for (const [key, ends] of history.ends) {
    if (key.startsWith(prefix) && ends.at(-1)! < oldest) history.ends.delete(key);
  }
  return findings.filter(({ subject, isSure }) => {
    const ends = (history.ends.get(prefix + subject) ?? []).filter((at) => at >= oldest && at < end);
    ends.push(end);
    history.ends.set(prefix + subject, ends);
    return isSure === true || ends.length >= persistence.least;
  });
}

/**
 * Whether a cause silences what the rule finds in a window. It does while it lasts and a little longer, and already when it was found
 * in its newest window without having persisted: else its effects would be told before it.
 * @param frequencyOf length of the windows of a type, in milliseconds
 */
export function isInhibited(
  { lastFound, lastPersisted }: FoundHistory,
  { inhibitedBy }: Rule,
  window: { readonly start: number; readonly end: number },
  frequencyOf: (type: AlertType) => number,
): boolean {
  return inhibitedBy.some((cause) => {
    const persisted = lastPersisted.get(cause);
    if (persisted !== undefined && persisted >= window.start - AFTERMATH_MS) return true;
    const found = lastFound.get(cause);
    return found !== undefined && found > window.end - frequencyOf(cause);
  });
}
