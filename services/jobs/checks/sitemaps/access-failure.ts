import type { Outcome } from '../../../../shared/reads/checks/verdict.js';

/** Problems of the connection. The file itself may be correct. */
const UNANSWERED: ReadonlySet<string> = new Set([
  ...['dns', 'refused', 'unreachable', 'timeout', 'blocked_address', 'tls', 'broken'],
]);
const TURNED_AWAY: ReadonlySet<string> = new Set(['http_401', 'http_403', 'http_429']);

/** The outcome if all failed files were refused to Loglane, which does not show what search engines get; otherwise null. */
export function accessFailureOf(problems: readonly { readonly code: string }[]): Outcome | null {
  if (problems.length === 0) return null;
  if (problems.every(({ code }) => TURNED_AWAY.has(code))) return 'blocked';
  return problems.every(({ code }) => TURNED_AWAY.has(code) || UNANSWERED.has(code)) ? 'unreachable' : null;
}
