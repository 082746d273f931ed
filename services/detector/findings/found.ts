import { type AlertType, fingerprintOf, rankOf, severities } from '../../../shared/alerts/alert.js';
import { MINUTE_MS } from '../../../shared/durations.js';
import { rules } from '../rules/all-rules.js';
import type { Finding, Rule } from '../rules/rule.js';

/**
 * The findings of rules in their last windows, for persistence (K of N) and inhibition by causes. Bounded. It
 * uses Maps, since clients choose subjects.
 */
export interface FoundHistory {
  /** By `type|subject`: the ends of the last windows with the finding, in rising order. */
  readonly ends: Map<string, number[]>;
  /** Causes by fingerprint: the end of the last window in which each was found, and in which it persisted. */
  readonly lastFound: Map<string, number>;
  readonly lastPersisted: Map<string, number>;
}

/** Time after its last finding in which a cause still inhibits its effects: recovery takes time. */
const AFTERMATH_MS = 30 * MINUTE_MS;
/** Types that inhibit another type (`inhibitedBy` of the rules). */
const causes: ReadonlySet<AlertType> = new Set(rules.flatMap(({ inhibitedBy }) => inhibitedBy));
/** Causes have few subjects: verified crawlers and their families, or none. */
const MAX_CAUSES = 200;

export function newFoundHistory(): FoundHistory {
  return { ends: new Map(), lastFound: new Map(), lastPersisted: new Map() };
}

/**
 * Notes the findings of a rule in the window that ends at `end`, even if they raise no alert. Mutates.
 * @param frequencyMs length of the family's windows
 * @returns findings that persist (K of N), or are sure, since the first of their windows
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
  return findings.flatMap((finding) => {
    const { subject, isSure, since = end } = finding;
    const ends = (history.ends.get(prefix + subject) ?? []).filter((at) => at >= oldest && at < end);
    ends.push(end);
    history.ends.set(prefix + subject, ends);
    if (isSure !== true && ends.length < persistence.least) return [];
    return [{ ...finding, since: Math.min(since, ends[0]! - frequencyMs) }];
  });
}

/** Notes that causes were found in the window that ends at `end`. Mutates. */
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
 * Whether a cause inhibits a finding.
 *
 * A cause must concern the whole website or the same subject, overlap the finding's window, and be at least
 * as severe: refused bots must not hide a blocked crawler. It inhibits while it lasts and a little longer. It
 * also does so when it is found in its newest window without having persisted, or its effects would be
 * reported first.
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
