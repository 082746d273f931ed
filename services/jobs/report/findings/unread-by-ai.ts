import { column, pathText, percent, shareOf, tableOrNone, whole } from '../texts.js';
import { type Find, impact, MOST_EXAMPLES } from './finding.js';

const LEAST = 5;

export const unreadByAi: Find = ({ aiFunnel }) => {
  const { sc_connected, checked, never_fetched, min_impressions, pages } = aiFunnel.discovery;
  if (!sc_connected || never_fetched === null || checked === null || never_fetched < LEAST) return null;
  const share = shareOf(never_fetched, checked);
  return {
    title: 'Pages that search shows are not read by AI assistants',
    figure: `${whole(never_fetched)} of ${whole(checked)} pages that a search engine showed at least ${whole(min_impressions)} times in 28 days were fetched by no crawler of AI search or of assistants in the period: ${percent(share)}.`,
    why: 'An assistant answers from what it has fetched. What it has not read it does not name.',
    action:
      'See that robots.txt and the firewall let these crawlers in, and link to the pages from those that they fetch.',
    read: 'GET /ai-funnel',
    impact: impact(10 + share / 2, 50),
    examples: tableOrNone(
      'Shown most in results',
      [column('Page', 'path'), column('Shown, 28 days', 'number')],
      (pages ?? [])
        .slice(0, MOST_EXAMPLES)
        .map(({ path, impressions_28d }) => [pathText(path), whole(impressions_28d)]),
    ),
  };
};
