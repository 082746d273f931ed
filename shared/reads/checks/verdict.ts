/** What a nightly check says of a website (spec §2.8, §3.2). */

/** In the order of the list: what is to be mended first. `unknown`: could not be evaluated in that run, and never a pass. */
export const verdicts = ['fail', 'warn', 'unknown', 'pass', 'not_applicable'] as const;
export type Verdict = (typeof verdicts)[number];

/**
 * How what a check asked for was answered: ok (2xx), partial (cut off, or only some of several), missing (404, 410, no such file), blocked (401, 403, 429: turned away, which
 * says nothing of what crawlers get), server_error (5xx), http_error (another status), invalid (answered, and not as it must be), unreachable (no answer), unconfirmed (the answer
 * does not settle it), not_checked (not asked).
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

/** Why a verdict is what it is. Further keys vary by check; values that a JSON document can hold. */
export interface Evidence {
  /** What was found and why it matters, in words. */
  readonly note: string;
  readonly outcome?: Outcome;
  readonly requested_url?: string;
  readonly final_url?: string | null;
  readonly redirects?: readonly { readonly url: string; readonly status: number }[];
  readonly status?: number | null;
  /** What would be better, a sentence each. With the outcome ok it is advice on delivery. */
  readonly advisories?: readonly string[];
  /** Why Loglane could fetch nothing from the website, where the verdict is unknown for that reason. */
  readonly not_reached?: string;
  /** What else to know. */
  readonly notes?: readonly string[];
  readonly [key: string]: unknown;
}

export interface Judgement {
  readonly verdict: Verdict;
  readonly evidence: Evidence;
}

/** A check's judgement as it is stored, with what the list shows of the check. */
export interface CheckResult extends Judgement {
  /** Stable. */
  readonly checkId: string;
  readonly title: string;
  readonly category: string;
  /** From 1 to 10, by the impact on being found. */
  readonly weight: number;
}
