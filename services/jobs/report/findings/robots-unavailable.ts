import type { Find, Finding } from '../model/finding.js';
import type { ReportData } from '../model/report-data.js';
import { counted, plainProblem, whole } from '../model/texts.js';

const LEAST_FAILED = 3;

export const robotsUnavailable: Find = (data) => {
  const found = judge(data);
  if (found === null) return null;
  const problem = data.robots?.problem ?? null;
  return {
    title: 'robots.txt is not available',
    ...found,
    figure: `${found.figure}${problem === null ? '' : ` Loglane’s last fetch: ${plainProblem(problem)}`}`,
    why: 'A search crawler requests robots.txt first. Google stops crawling a website while robots.txt returns a server error.',
    action: 'Serve robots.txt as a static file that does not depend on the application.',
    read: 'GET /seo/robots',
    examples: null,
  };
};

/** Responses to search crawlers decide. A failed fetch of Loglane's counts little if crawlers were served. */
function judge({ robots, crawlersMet }: ReportData): Pick<Finding, 'figure' | 'impact'> | null {
  const { served, failed } = crawlersMet.robotsTxt;
  if (failed >= LEAST_FAILED && failed >= served)
    return {
      figure: `${whole(failed)} of ${counted(served + failed, 'request', 'requests')} for robots.txt from search crawlers failed (5xx or 429).`,
      impact: 85,
    };
  const crawlers =
    served === 0
      ? 'no search crawler was served it in the period'
      : `search crawlers were served it ${counted(served, 'time', 'times')} in the period`;
  if (robots?.status === 'server_error')
    return {
      figure: `Loglane got a server error for robots.txt, and ${crawlers}.`,
      impact: served === 0 ? 85 : 50,
    };
  // Without a response, Loglane's own network or DNS may be the cause. Only a crawler that failed too confirms it.
  if (robots?.status !== 'unreachable' || served > 0 || failed === 0) return null;
  return { figure: `Loglane could not reach robots.txt, and ${crawlers}.`, impact: 40 };
}
