import type { Evidence, Judgement } from '../../../../shared/reads/checks/verdict.js';
import { type Absent, absent, unknown, warn } from './check.js';
import type { Retrieval } from './facts.js';

/** How what was fetched is told. */

export type Told = Omit<Evidence, 'note'>;

/** Longest URL that evidence repeats: what a website sends must not swell the table. */
const LONGEST_URL = 500;
const cut = (url: string) => url.slice(0, LONGEST_URL);

export function told({ outcome, requestedUrl, finalUrl, redirects, status }: Retrieval): Told {
  return {
    outcome,
    requested_url: cut(requestedUrl),
    final_url: finalUrl === null ? null : cut(finalUrl),
    redirects: redirects.map(({ url, status: by }) => ({ url: cut(url), status: by })),
    status,
  };
}

const BLOCKED =
  'The website turned Loglane away, which does not prove that it turns search crawlers away. Let its user agent in to have this checked.';

/** Why an answer is none that could be judged. */
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

/** Unknown, because this was answered so. */
export function notAnswered(what: string, retrieval: Retrieval): Judgement {
  return unknown(whyNot(what, retrieval), told(retrieval));
}

/** What needs it is unknown, because it was answered so. */
export function absentFor(what: string, retrieval: Retrieval): Absent {
  return absent(whyNot(what, retrieval), retrieval.outcome, told(retrieval));
}

/** Advice on delivery (spec §2.8): nothing failed, and something would be better. */
export function advise(
  note: string,
  retrieval: Retrieval,
  advisories: readonly string[],
  more: Told = {},
): Judgement {
  return warn(note, { ...told(retrieval), outcome: 'ok', advisories, ...more });
}

/** Read far enough to be judged: a page that is too long still has its head. */
export function isRead({ outcome }: Retrieval): boolean {
  return outcome === 'ok' || outcome === 'partial';
}
