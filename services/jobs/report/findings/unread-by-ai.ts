import { type Find, impact, MOST_EXAMPLES } from '../model/finding.js';
import { column, pathText, percent, shareOf, tableOrNone, whole } from '../model/texts.js';

const LEAST = 5;

export const unreadByAi: Find = ({ aiFunnel }) => {
  const { sc_connected, checked, never_fetched, min_impressions, pages } = aiFunnel.discovery;
  if (!sc_connected || never_fetched === null || checked === null || never_fetched < LEAST) return null;
  const share = shareOf(never_fetched, checked);
  return {
    title: 'AI assistants do not read some pages that search results show',
    figure: `${whole(never_fetched)} of ${whole(checked)} pages with at least ${whole(min_impressions)} impressions in 28 days were not fetched by a crawler of AI search or assistants: ${percent(share)}.`,
    why: 'An assistant answers from pages that it has fetched. It does not name pages that it has not read.',
    action:
      'Check that robots.txt and the firewall let these crawlers in, and link to these pages from pages that they fetch.',
    read: 'GET /ai-funnel',
    impact: impact(10 + share / 2, 50),
    examples: tableOrNone(
      'Most impressions in search results',
      [column('Page', 'path'), column('Impressions, 28 days', 'number')],
      (pages ?? [])
        .slice(0, MOST_EXAMPLES)
        .map(({ path, impressions_28d }) => [pathText(path), whole(impressions_28d)]),
    ),
  };
};
