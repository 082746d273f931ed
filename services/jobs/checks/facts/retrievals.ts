import type { Evidence, Judgement } from '../../../../shared/reads/checks/verdict.js';
import { type Absent, absent, unknown, warn } from './check.js';
import type { Retrieval } from './facts.js';

/** Evidence and notes about fetches. */

export type RetrievalEvidence = Omit<Evidence, 'note'>;

/** The longest URL in evidence: a website must not control the size of the table. */
const LONGEST_URL = 500;
const cut = (url: string) => url.slice(0, LONGEST_URL);

export function evidenceOf({
  outcome,
  requestedUrl,
  finalUrl,
  redirects,
  status,
}: Retrieval): RetrievalEvidence {
  return {
    outcome,
    requested_url: cut(requestedUrl),
    final_url: finalUrl === null ? null : cut(finalUrl),
    redirects: redirects.map(({ url, status: by }) => ({ url: cut(url), status: by })),
    status,
  };
}

const BLOCKED =
  'The website turned Loglane away, which does not prove that it turns search crawlers away. Allow its user agent to have this checked.';

/** Why a response cannot be judged. */
export function whyNot(what: string, { outcome, status, error }: Retrieval): string {
  switch (outcome) {
    case 'blocked':
      return `${what} was answered ${status}. ${BLOCKED}`;
    case 'unreachable':
    case 'invalid':
      return `${what} could not be read: ${error?.message ?? 'the answer is none.'}`;
    case 'partial':
      return `${what} was not read to its end.`;
    default:
      return `${what} was answered ${status}.`;
  }
}

/** Unknown, because of this response. */
export function notAnswered(what: string, retrieval: Retrieval): Judgement {
  return unknown(whyNot(what, retrieval), evidenceOf(retrieval));
}

/** Checks that need the fact are unknown, because of this response. */
export function absentFor(what: string, retrieval: Retrieval): Absent {
  return absent(whyNot(what, retrieval), retrieval.outcome, evidenceOf(retrieval));
}

/** Advice on delivery (spec §2.8): no fault, but a possible improvement. */
export function advise(
  note: string,
  retrieval: Retrieval,
  advisories: readonly string[],
  more: RetrievalEvidence = {},
): Judgement {
  return warn(note, { ...evidenceOf(retrieval), outcome: 'ok', advisories, ...more });
}

/** Read far enough to be judged: a page that is too long has its head. */
export function isRead({ outcome }: Retrieval): boolean {
  return outcome === 'ok' || outcome === 'partial';
}
