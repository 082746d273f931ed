import { type AlertType, fingerprintOf, rankOf, severities } from '../../../shared/alerts/alert.js';
import { MINUTE_MS } from '../../../shared/durations.js';
import { rules } from '../rules/all-rules.js';
import type { Finding, Rule } from '../rules/rule.js';

/** What rules found in their last windows: for K of N, and for causes that silence their effects. Bounded; Maps, for subjects are foreign text. */
export interface FoundHistory {
  /** By `type|subject`: the ends of the last windows in which it was found, in rising order. */
  readonly ends: Map<string, number[]>;
  /** Of causes, by fingerprint: the end of the last window in which it was found, and in which it persisted. */
  readonly lastFound: Map<string, number>;
  readonly lastPersisted: Map<string, number>;
}

/** After its last sighting a cause still silences its effects for so long: what it broke needs time to recover. */
const AFTERMATH_MS = 30 * MINUTE_MS;
/** Types of which any other is an effect (`inhibitedBy` of the rules). */
const causes: ReadonlySet<AlertType> = new Set(rules.flatMap(({ inhibitedBy }) => inhibitedBy));
/** Causes have few subjects: verified crawlers and their families, or none. */
const MAX_CAUSES = 200;

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
  noteCauses(history.lastFound, type, findings, end);
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

/** Notes that findings were seen in the window that ends at `end`, for what they cause. Mutates. */
export function noteCauses(
  last: Map<string, number>,
  type: AlertType,
  findings: readonly Finding[],
  end: number,
): void {
  if (!causes.has(type)) return;
  for (const { severity, subject, partOf = subject } of findings) {
    for (const of of new Set([subject, partOf])) {
      const fingerprint = fingerprintOf({ type, severity, subject: of });
      last.delete(fingerprint);
      last.set(fingerprint, end);
      if (last.size > MAX_CAUSES) last.delete(last.keys().next().value!);
    }
  }
}

/**
 * Whether a cause silences a finding. It must explain it: concern the whole website or the same subject, be at least as severe (what a
 * few refused bots make must not hide a crawler that is blocked), and overlap its window. It does while it lasts and a little longer, and
 * already when it was found in its newest window without having persisted: else its effects would be told before it.
 * @param frequencyOf length of the windows of a type, in milliseconds
 */
export function isInhibited(
  { lastFound, lastPersisted }: Pick<FoundHistory, 'lastFound' | 'lastPersisted'>,
  { inhibitedBy }: Pick<Rule, 'inhibitedBy'>,
  { severity, subject }: Pick<Finding, 'severity' | 'subject'>,
  window: { readonly start: number; readonly end: number },
  frequencyOf: (type: AlertType) => number,
): boolean {
  const severeEnough = severities.filter((one) => rankOf(one) >= rankOf(severity));
  return inhibitedBy.some((type) =>
    severeEnough.some((one) =>
      ['', subject].some((of) => {
        const cause = fingerprintOf({ type, severity: one, subject: of });
        const persisted = lastPersisted.get(cause);
        if (persisted !== undefined && persisted >= window.start - AFTERMATH_MS) return true;
        const found = lastFound.get(cause);
        return found !== undefined && found > window.end - frequencyOf(type);
      }),
    ),
  );
}
