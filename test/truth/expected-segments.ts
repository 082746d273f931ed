import type { Segment } from '../../shared/control/model.js';
import { inSegment } from '../harness/in-segment.js';
import {
  delta,
  distinct,
  inClass,
  isHuman,
  pct,
  type Rows,
  round,
  type Truth,
  verificationOf,
  windowOf,
} from './counting.js';

function figures(rows: Rows, all: Rows, truth: Truth) {
  const search = (list: Rows) => list.filter((row) => row.traffic_class === 'search_bot');
  const paths = distinct(rows, (row) => row.path);
  const crawled = distinct(search(rows), (row) => row.path);
  return {
    requests: rows.length,
    human_visits: rows.filter(isHuman).length,
    verified_search_hits: search(rows).filter((row) => verificationOf(row, truth.verdicts) === 'verified')
      .length,
    search_hits: search(rows).length,
    search_share: pct(search(rows).length, search(all).length),
    ai_hits: rows.filter((row) => row.traffic_class === 'ai_bot').length,
    unique_paths: paths,
    crawled_paths: crawled,
    crawl_coverage: pct(crawled, paths),
    errors_4xx: rows.filter(inClass(4)).length,
    errors_5xx: rows.filter(inClass(5)).length,
  };
}

/** @param segments in their order. Deltas of estimates are left to their figures. */
export function segmentsBreakdown(truth: Truth, segments: readonly Segment[], compare: boolean) {
  const groups = [
    { id: '_all', name: 'All requests', holds: () => true },
    ...segments.map((segment) => ({
      ...segment,
      holds: (row: Rows[number]) => inSegment(segment, row),
    })),
  ];
  return {
    window: windowOf(truth.window),
    compare,
    segments: groups.map(({ id, name, holds }) => {
      const now = figures(truth.now.filter(holds), truth.now, truth);
      const before = figures(truth.before.filter(holds), truth.before, truth);
      return {
        segment_id: id,
        name,
        ...now,
        delta: !compare
          ? null
          : {
              requests_pct: delta(now.requests, before.requests),
              human_visits_pct: delta(now.human_visits, before.human_visits),
              verified_search_hits_pct: delta(now.verified_search_hits, before.verified_search_hits),
              search_hits_pct: delta(now.search_hits, before.search_hits),
              search_share_pp: round(now.search_share - before.search_share),
              ai_hits_pct: delta(now.ai_hits, before.ai_hits),
              errors_4xx_pct: delta(now.errors_4xx, before.errors_4xx),
              errors_5xx_pct: delta(now.errors_5xx, before.errors_5xx),
            },
      };
    }),
    data_buffering: false,
  };
}
