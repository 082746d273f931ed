import { DAY_MS, MINUTE_MS } from '../../../shared/durations.js';
import { INSIGHTS } from '../../../shared/jobs/job-request.js';
import { USUAL_HOURS } from '../../../shared/reads/insights/insight-filters.js';
import { wholeWebsite } from '../../../shared/reads/insights/insight-key.js';
import { readInsightOrder } from '../../../shared/reads/insights/insight-order.js';
import { readInsights } from '../../../shared/reads/insights/insight-rows.js';
import type { WebsiteJob } from '../runner/website-job.js';
import { demoModel } from './demo-model.js';
import { hasRequests } from './has-requests.js';
import { dayOf, type WriterDeps, windowOf, writeInsight } from './write-insight.js';

/** For all calls of the model, and all reads. */
const TIME_LIMIT_MS = 5 * MINUTE_MS;

/**
 * Writes one insight of each website per UTC day, if the website has requests and its plan includes the API, the only place that shows insights. It also
 * writes requested insights. Without a language model, only insights that need none are written. A discarded insight, or one that exceeded the budget, is not
 * retried before the next day.
 * @param writer `model`: null if none is configured
 */
export function insightsJob(
  writer: Pick<WriterDeps, 'tokensPerDay' | 'metrics' | 'newId'> & {
    readonly model: WriterDeps['model'] | null;
  },
): WebsiteJob {
  return {
    name: INSIGHTS,
    everyMs: DAY_MS,
    waitsFor: 'model',
    scheduledFor: 'month',
    isFor: () => writer.model !== null,
    async run(website, deps) {
      const { clickhouse, now, requested, details } = deps;
      if (requested) {
        const signal = AbortSignal.any([deps.signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
        const { recorded, ...order } = readInsightOrder(details);
        const model = recorded ? demoModel : writer.model;
        if (model === null) deps.logger.warn('INSIGHTS_URL is not set: the insight is not written');
        else await writeInsight({ website, ...order }, { ...writer, ...deps, model, signal });
        return;
      }
      const { model } = writer;
      if (model === null) return;
      if (deps.planOf(website).hourlyApiLimit === null) return;
      const [newest] = await readInsights(clickhouse, { websiteId: website.id, ...wholeWebsite }, 1);
      if (newest !== undefined && dayOf(newest.createdAt) === dayOf(now())) return;
      if (!(await hasRequests(clickhouse, website.id, windowOf(USUAL_HOURS, now())))) return 'nothing_yet';
      const signal = AbortSignal.any([deps.signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
      await writeInsight({ website, ...wholeWebsite }, { ...writer, ...deps, model, signal });
    },
  };
}
