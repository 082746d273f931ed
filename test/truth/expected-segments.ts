import type { Segment } from '../../shared/control/domain/model.js';
import { inSegment } from '../harness/in-segment.js';
import {
  changeIn,
  comparedWindow,
  distinct,
  distinctPaths,
  inClass,
  isHuman,
  isUndeclared,
  pct,
  pointsIn,
  type Rows,
  type Truth,
  verificationOf,
  windowOf,
} from './counting.js';
import { isHumanVisit, visitsIn } from './follow-on.js';

const PAGES = ['html', 'htm', 'xhtml', 'php', 'asp', 'aspx', 'jsp'];

function figures(rows: Rows, all: Rows, truth: Truth, basis: string) {
  const verification = (row: Rows[number]) => verificationOf(row, truth.verdicts);
  const genuine = (list: Rows, name: string) =>
    list.filter((row) => row.traffic_class === name && verification(row) !== 'spoofed');
  const search = (list: Rows) => genuine(list, 'search_bot');
  const isPage = (row: Rows[number]) =>
    PAGES.includes(row.file_type) && (inClass(2)(row) || row.status === 304);
  const pages = new Set(rows.filter(isPage).map((row) => row.path));
  const counts = (row: Rows[number]) => (verification(row) === 'verified') === (basis === 'verified');
  const crawled = distinct(search(rows).filter(isPage).filter(counts), (row) => row.path);
  return {
    requests: rows.length,
    human_requests: rows.filter(isHuman).length,
    human_visits: visitsIn(rows.filter((row) => isHuman(row) && isHumanVisit(row))).length,
    page_views: rows.filter((row) => isHuman(row) && isPage(row)).length,
    verified_search_hits: rows.filter(
      (row) => row.traffic_class === 'search_bot' && verification(row) === 'verified',
    ).length,
    search_hits: search(rows).length,
    search_share: pct(search(rows).length, search(all).length),
    ai_hits: genuine(rows, 'ai_bot').length,
    spoofed_hits: rows.filter((row) => verification(row) === 'spoofed').length,
    undeclared_agent_hits: rows.filter(isUndeclared).length,
    unique_paths: distinctPaths(rows),
    unique_pages: pages.size,
    crawled_pages: crawled,
    crawl_coverage: pct(crawled, pages.size),
    errors_4xx: rows.filter(inClass(4)).length,
    errors_5xx: rows.filter(inClass(5)).length,
  };
}

/** @param segments in order. Deltas of estimates are not compared; their figures are. */
export function segmentsBreakdown(truth: Truth, segments: readonly Segment[], compare: boolean) {
  const groups = [
    { id: '_all', name: 'All requests', holds: () => true },
    ...segments.map((segment) => ({
      ...segment,
      holds: (row: Rows[number]) => inSegment(segment, row),
    })),
  ];
  const { window, previousWindow, website, verdicts } = truth;
  const start = compare ? previousWindow.start : window.start;
  const inWindows = website.filter(({ timestamp }) => timestamp >= start && timestamp < window.end);
  const isProved = (row: Rows[number]) =>
    row.bot_category === 'search' && verificationOf(row, verdicts) === 'verified';
  const basis = inWindows.some(isProved) ? 'verified' : 'unproved';
  const delta = changeIn(truth);
  const points = pointsIn(truth);
  return {
    ...comparedWindow(truth),
    compare,
    previous: compare ? { window: windowOf(previousWindow) } : null,
    crawl_basis: basis,
    segments: groups.map(({ id, name, holds }) => {
      const now = figures(truth.now.filter(holds), truth.now, truth, basis);
      const before = figures(truth.before.filter(holds), truth.before, truth, basis);
      return {
        segment_id: id,
        name,
        ...now,
        previous: compare ? before : null,
        delta: !compare
          ? null
          : {
              requests_pct: delta(now.requests, before.requests),
              human_requests_pct: delta(now.human_requests, before.human_requests),
              human_visits_pct: delta(now.human_visits, before.human_visits),
              verified_search_hits_pct: delta(now.verified_search_hits, before.verified_search_hits),
              search_hits_pct: delta(now.search_hits, before.search_hits),
              search_share_pp: points(
                now.search_share,
                before.search_share,
                figures(truth.before, truth.before, truth, basis).search_hits,
              ),
              ai_hits_pct: delta(now.ai_hits, before.ai_hits),
              errors_4xx_pct: delta(now.errors_4xx, before.errors_4xx),
              errors_5xx_pct: delta(now.errors_5xx, before.errors_5xx),
            },
      };
    }),
    data_buffering: false,
  };
}
