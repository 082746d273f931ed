/** The result of a nightly check of a website (spec §2.8, §3.2). */

/** In the order of the list: most urgent first. `unknown`: could not be evaluated in that run; never a pass. */
export const verdicts = ['fail', 'warn', 'unknown', 'pass', 'not_applicable'] as const;
export type Verdict = (typeof verdicts)[number];

/**
 * Results of the requests of a check:
 * - ok: 2xx.
 * - partial: cut off, or only some of several.
 * - missing: 404, 410, no such file.
 * - blocked: 401, 403, 429. Loglane was rejected; crawlers may be served.
 * - server_error: 5xx.
 * - http_error: another status.
 * - invalid: the answer is malformed.
 * - unreachable: no answer.
 * - unconfirmed: the answer does not decide.
 * - not_checked: no request.
 */
export const outcomes = [
  'ok',
  'partial',
  'missing',
  'blocked',
  'server_error',
  'http_error',
  'invalid',
  'unreachable',
  'unconfirmed',
  'not_checked',
] as const;
export type Outcome = (typeof outcomes)[number];

/** The reason of a verdict. Further keys vary by check and have JSON values. */
export interface Evidence {
  /** The finding and its importance, in words. */
  readonly note: string;
  readonly outcome?: Outcome;
  readonly requested_url?: string;
  readonly final_url?: string | null;
  readonly redirects?: readonly { readonly url: string; readonly status: number }[];
  readonly status?: number | null;
  /** Suggested improvements, one sentence each. With the outcome ok they are advice on delivery. */
  readonly advisories?: readonly string[];
  /** Why Loglane could not fetch from the website; present if the verdict is unknown for that reason. */
  readonly not_reached?: string;
  /** Further notes. */
  readonly notes?: readonly string[];
  readonly [key: string]: unknown;
}

export interface Judgement {
  readonly verdict: Verdict;
  readonly evidence: Evidence;
}

/** A stored judgement of a check, with the fields of the check that the list shows. */
export interface CheckResult extends Judgement {
  /** The id never changes. */
  readonly checkId: string;
  readonly title: string;
  readonly category: string;
  /** From 1 to 10, by the impact on visibility in search. */
  readonly weight: number;
}
