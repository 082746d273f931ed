import { type Find, impact, MOST_EXAMPLES } from '../model/finding.js';
import { column, counted, nameText, tableOrNone, whole } from '../model/texts.js';

export const robotsDisobeyed: Find = ({ robots }) => {
  const total = robots?.violations_total ?? 0;
  if (total === 0) return null;
  const byBot = Object.entries(robots?.violation_summary ?? {})
    .map(([name, figures]) => ({ name, ...figures }))
    .toSorted((one, other) => other.total_requests - one.total_requests);
  return {
    title: 'Crawlers fetch pages that robots.txt disallows',
    figure: `${counted(total, 'page was', 'pages were')} fetched although a rule disallowed it at that time. A page counts once for each crawler.`,
    why: 'robots.txt is only a request. A crawler that ignores it must be blocked by the server.',
    action: 'Check that the rule is what you intend. Block these crawlers in the firewall where it matters.',
    read: 'GET /seo/robots',
    impact: impact(15 + total / 50, 35),
    examples: tableOrNone(
      'By crawler',
      [column('Crawler'), column('Pages', 'number'), column('Requests', 'number')],
      byBot
        .slice(0, MOST_EXAMPLES)
        .map(({ name, unique_paths, total_requests }) => [
          nameText(name),
          whole(unique_paths),
          whole(total_requests),
        ]),
    ),
  };
};
