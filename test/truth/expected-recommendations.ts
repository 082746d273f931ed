import { MAX_RECOMMENDATION_KEY } from '../../shared/control/aggregates/resolution.js';
import { isProbedPath } from '../../shared/detection/probes.js';
import { scoreNotFound } from '../../shared/reads/recommendations/recommendation-scores.js';
import type { StoredRequest } from '../harness/stored-requests.js';
import {
  byPath,
  byText,
  datedWindow,
  firstSeen,
  HOUR,
  inClass,
  isHuman,
  lastSeen,
  newestFirst,
  pct,
  type Rows,
  type Truth,
  verificationOf,
} from './counting.js';

type Basis = 'verified' | 'unproved';

/** Paths with the most requests answered 4xx. */
const MOST_FAILING = 500;

/** All pages not found, without filters. */
export function notFoundPaths(truth: Truth) {
  const { window, verdicts } = truth;
  const rows = truth.website.filter(({ timestamp }) => timestamp >= window.start && timestamp < window.end);
  const isVerified = (row: StoredRequest) => verificationOf(row, verdicts) === 'verified';
  const basisOf = (category: string): Basis =>
    rows.some((row) => row.bot_category === category && isVerified(row)) ? 'verified' : 'unproved';
  const bases = { search: basisOf('search'), ai: basisOf('ai') };
  const countOf = (of: 'search' | 'ai', given: Rows) =>
    given.filter(
      (row) => row.traffic_class === `${of}_bot` && isCounted(verificationOf(row, verdicts), bases[of]),
    ).length;
  const items = failing(rows).flatMap(([path, ofPath]) => {
    const lost = ofPath.filter(({ status }) => status === 404);
    if (lost.length === 0) return [];
    const people = lost.filter(isHuman).length;
    const [search, ai] = [countOf('search', lost), countOf('ai', lost)];
    const verified = lost.filter(isVerified).length;
    const served = ofPath.filter((row) => inClass(2)(row) || inClass(3)(row)).length;
    const isProbed = isProbedPath(path, true);
    return [
      {
        key: `404:${path}`,
        ...scoreNotFound({ people, search, ai, hits: lost.length, served, isProbed }),
        path,
        request_count: lost.length,
        last_seen: lastSeen(lost),
        human_requests: people,
        search_bot_requests: search,
        ai_bot_requests: ai,
        verified_bot_requests: verified,
        verified_bot_share_pct: pct(verified, lost.length),
        sample_user_agents: agentsOf(lost, isVerified),
        first_seen: firstSeen(lost),
        served_requests: served,
      },
    ];
  });
  return {
    ...datedWindow(truth),
    window_days: Math.round((100 * (window.end - window.start)) / (24 * HOUR)) / 100,
    crawl_basis: bases.search,
    ai_basis: bases.ai,
    items: items.sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1)),
    error: null,
  };
}

const isCounted = (verification: string, basis: Basis) =>
  basis === 'verified' ? verification === 'verified' : ['unverifiable', 'pending'].includes(verification);

function failing(rows: Rows): [string, Rows][] {
  const failures = ([, ofPath]: [string, Rows]) => ofPath.filter(inClass(4)).length;
  return byPath(rows)
    .filter((one) => failures(one) > 0)
    .sort((a, b) => failures(b) - failures(a) || byText(a[0], b[0]))
    .slice(0, MOST_FAILING)
    .filter(([path]) => path.startsWith('/') && path.length + '404:'.length < MAX_RECOMMENDATION_KEY);
}

/** The last ones of people, of verified bots and of others. */
function agentsOf(rows: Rows, isVerified: (row: StoredRequest) => boolean): string[] {
  const kinds = [isHuman, isVerified, (row: StoredRequest) => !isHuman(row) && !isVerified(row)];
  const agents = kinds.map((isOfKind) => rows.filter(isOfKind).toSorted(newestFirst)[0]?.user_agent ?? '');
  return [...new Set(agents.filter((agent) => agent !== ''))];
}
