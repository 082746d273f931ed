import type { ClickHouse } from '../../shared/clickhouse/client.js';
import type { ControlPlane } from '../../shared/control/control-plane.js';
import { type Plan, planOf } from '../../shared/control/plans.js';
import type { KeyRing } from '../../shared/control/sealing/key-ring.js';
import type { EventLog } from '../../shared/event-log/event-log.js';
import { createFetcher } from '../../shared/fetch/fetcher.js';
import { openLanguageModel } from '../../shared/language-model/open-language-model.js';
import { readActiveWebsites } from '../../shared/queries/active-websites.js';
import { insertJobRun, readJobRuns } from '../../shared/queries/job-runs.js';
import type { Service } from '../../shared/service/service.js';
import { insightsJob } from './insights/insights-job.js';
import { createInsightMetrics } from './insights/metrics.js';
import { websiteJobs } from './list.js';
import { openNotifications } from './notifications/open-notifications.js';
import { type JobsService, startJobs } from './service.js';
import type { WebsiteJob } from './website-job.js';

export interface JobsParts {
  readonly log: EventLog;
  readonly clickhouse: ClickHouse;
  readonly control: ControlPlane;
  /** What webhooks' secrets are made of. */
  readonly ring: Pick<KeyRing, 'find'>;
}

/** Those that this installation runs. Last come insights, which read what the others store. @throws ConfigError */
function jobsOf({ config, registry, newId, logger, onStop }: Service): readonly WebsiteJob[] {
  const ofWebsites = config.FETCH_WEBSITES ? websiteJobs : websiteJobs.filter(({ fetches }) => !fetches);
  const model = openLanguageModel(config);
  if (model === null) {
    logger.info('INSIGHTS_URL is not set: no insights are written');
    return ofWebsites;
  }
  onStop(() => model.close());
  const metrics = createInsightMetrics(registry);
  return [
    ...ofWebsites,
    insightsJob({ model, metrics, newId, tokensPerDay: config.INSIGHTS_TOKENS_PER_DAY }),
  ];
}

/** An erased website's run writes nothing more, so what it throws then does no harm. */
function planOfWebsite(control: ControlPlane, websiteId: string, now: number): Plan {
  const { websites, organisations } = control.state();
  const organisation = organisations.get(websites.get(websiteId)?.organisationId ?? '');
  if (organisation === undefined) throw new Error(`there is no organisation of website ${websiteId}`);
  return planOf(organisation, now);
}

/** The jobs service in the process that it is given, at work when this resolves. @throws ConfigError */
export async function openJobs(service: Service, parts: JobsParts): Promise<JobsService> {
  const { config, now, logger, registry, onCrash } = service;
  const { log, clickhouse, control } = parts;
  const fetch = createFetcher({ userAgent: config.FETCH_USER_AGENT });
  const jobs = await startJobs({
    log,
    jobs: jobsOf(service),
    deps: { clickhouse, fetch, now, logger, planOf: ({ id }) => planOfWebsite(control, id, now()) },
    websites: () => control.state().websites.values(),
    websiteOf: (id) => control.state().websites.get(id),
    readRuns: () => readJobRuns(clickhouse),
    readActive: () => readActiveWebsites(clickhouse, now()),
    recordRun: (run) => insertJobRun(clickhouse, run),
    logger,
    registry,
    onCrash,
  });
  service.onStop(() => jobs.stop());
  await openNotifications(service, { ...parts, fetch });
  return jobs;
}
