import { isAiLanding, isHumanPageRequest, VISIT_MINUTES, VISIT_MS } from '../sql/ai-landings.js';
import type { Clause } from '../sql/clause.js';
import { isKnownIp } from '../sql/client-ip.js';
import { inStatusClass } from '../sql/metrics.js';
import { type Scope, scopeClause, type Window } from '../sql/scope.js';
import { isServedStatus } from '../sql/served-page.js';

/** The rules of follow-on.ts, for both of its ways. */

/** Equal to the length of a visit's half hour, so that a following view is in the same half hour or the next one. */
export const FOLLOW_ON_MINUTES = VISIT_MINUTES;
export const FOLLOW_ON_MS = VISIT_MS;

/**
 * Limit of page views of an address in two neighbouring half hours, and of visits in one. An address with more is shared by many people or
 * is automated, so it is excluded. Both limits apply before visits are joined with views: a request causes at most fifty pairs.
 */
export const MAX_PAGE_VIEWS = 1_000;
export const MAX_VISITS = 50;

/** Next pages listed for each page. */
export const TOP_NEXT = 3;

export interface FollowOn {
  /** Visits of addresses within the limits. */
  readonly judged: number;
  /** Judged visits after which no other page was opened. */
  readonly bounced: number;
  /** Next pages, most visitors first, then by the first bytes of the path; an address counts once. */
  readonly next: readonly { readonly path: string; readonly visitors: number }[];
}

export interface FollowOnQuestion {
  /** Pages that the visits came to. */
  readonly paths: readonly string[];
  /** Only visits that this operator's assistants sent, ignoring case. */
  readonly operator?: string | undefined;
}

/** SQL over `requests AS r`: a page view of a known address. */
export const isKnownPageView = `${isHumanPageRequest} AND ${isKnownIp('r.client_ip')} AND (${isServedStatus('r.status')})`;

/** SQL over `requests AS r`: the time of a page view that can follow a visit, also in the half hour after the window. */
export const isFollowedTime = `r.website_id = {website_id: String} AND r.timestamp >= fromUnixTimestamp64Milli({start: Int64}, 'UTC')
      AND r.timestamp < fromUnixTimestamp64Milli({follow_on_end: Int64}, 'UTC')`;
export const isPageView = `${isFollowedTime} AND ${isKnownPageView}`;

/** Over `requests AS r`: a visit of the scope, to any page. @param pieces of its window; default: all of it */
export function visitClause(scope: Scope, operator: string | undefined, pieces?: readonly Window[]): Clause {
  const { sql, params } = scopeClause(scope, pieces);
  return {
    sql: `${sql} AND ${isAiLanding} AND ${inStatusClass('r.status', 2)} AND ${isKnownIp('r.client_ip')}${
      operator === undefined ? '' : ' AND lower(r.ai_operator) = {follow_on_operator: String}'
    }`,
    params: {
      ...params,
      ...(operator === undefined ? {} : { follow_on_operator: operator.toLowerCase() }),
    },
  };
}

/** Like visitClause, with the parameters of `isPageView`, too. */
export function isVisitOf(scope: Scope, { paths, operator }: FollowOnQuestion): Clause {
  const { sql, params } = visitClause(scope, operator);
  return {
    sql,
    params: { ...params, follow_on_end: scope.window.end + FOLLOW_ON_MS, follow_on_paths: paths },
  };
}
