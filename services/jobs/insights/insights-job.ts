import { DAY_MS, MINUTE_MS } from '../../../shared/durations.js';
import { USUAL_HOURS } from '../../../shared/insights/insight-filters.js';
import { wholeWebsite } from '../../../shared/insights/insight-key.js';
import { readInsightOrder } from '../../../shared/insights/insight-order.js';
import { INSIGHTS } from '../../../shared/jobs/job-request.js';
import { hasRequests } from '../../../shared/queries/has-requests.js';
import { readInsights } from '../../../shared/queries/insights.js';
import type { WebsiteJob } from '../website-job.js';
import { dayOf, type WriterDeps, windowOf, writeInsight } from './write-insight.js';

/** For all calls of the model, and all reads. */
const TIME_LIMIT_MS = 5 * MINUTE_MS;

/**
 * Has an insight of each website written once a UTC day, where requests came in and the plan has the API, which alone shows it; and any other that is requested.
 * One that was discarded, or that the budget ended, is not tried again before the next day.
 */
export function insightsJob(
  writer: Pick<WriterDeps, 'model' | 'tokensPerDay' | 'metrics' | 'newId'>,
): WebsiteJob {
  return {
    name: INSIGHTS,
    everyMs: DAY_MS,
    waitsFor: 'model',
    async run(website, deps) {
      const { clickhouse, now, requested, details } = deps;
      if (requested) {
        const signal = AbortSignal.any([deps.signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
        await writeInsight({ website, ...readInsightOrder(details) }, { ...writer, ...deps, signal });
        return;
      }
      if (deps.planOf(website).hourlyApiLimit === null) return;
      const [newest] = await readInsights(clickhouse, { websiteId: website.id, ...wholeWebsite }, 1);
      if (newest !== undefined && dayOf(newest.createdAt) === dayOf(now())) return;
      if (!(await hasRequests(clickhouse, website.id, windowOf(USUAL_HOURS, now())))) return 'nothing_yet';
      const signal = AbortSignal.any([deps.signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
      await writeInsight({ website, ...wholeWebsite }, { ...writer, ...deps, signal });
    },
  };
}
