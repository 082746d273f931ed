import type { Alert } from '../../shared/alerts/alert.js';
import { alertRecord } from '../../shared/alerts/alert-codec.js';
import { alertSettingsOf } from '../../shared/control/aggregates/alert-settings.js';
import type { ControlPlane } from '../../shared/control/control-plane.js';
import { type Plan, planOf } from '../../shared/control/domain/plans.js';
import type { KeyRing } from '../../shared/control/sealing/key-ring.js';
import { followLists } from '../../shared/crawlers/follow-lists.js';
import { loadReferrerList } from '../../shared/crawlers/referrers.js';
import type { EventLog } from '../../shared/event-log/event-log.js';
import { createFetcher, type Fetcher } from '../../shared/fetch/fetcher.js';
import { linkOfExport } from '../../shared/files/export-link.js';
import { openFileStore } from '../../shared/files/open-file-store.js';
import { createSenders } from '../../shared/reads/analytics/session-senders.js';
import { publicUrls } from '../../shared/service/public-urls.js';
import type { NotReady } from '../../shared/service/readiness.js';
import type { Service } from '../../shared/service/service.js';
import type { ClickHouse } from '../../shared/store/client.js';
import { websiteJobs } from './all-jobs.js';
import { analyticsJob } from './analytics/analytics-job.js';
import { keepListsFresh } from './crawler-lists/refresh-lists.js';
import { crawlsJob } from './crawls/crawls-job.js';
import { openCrawls } from './crawls/open-crawls.js';
import type { FetchSession } from './crawls/site/fetch-session.js';
import { openExports } from './exports/open-exports.js';
import { createInsightMetrics } from './insights/insight-metrics.js';
import { insightsJob } from './insights/insights-job.js';
import { startJobs } from './jobs-service.js';
import { openLanguageModel } from './language-model/open-language-model.js';
import { openNotifications } from './notifications/open-notifications.js';
import { readActiveWebsites } from './runner/active-website-rows.js';
import { insertJobRun, readJobRuns } from './runner/job-runs.js';
import type { WebsiteJob } from './runner/website-job.js';
import { searchJob } from './search/search-job.js';

export interface JobsParts {
  readonly log: EventLog;
  readonly clickhouse: ClickHouse;
  readonly control: ControlPlane;
  /** The keys for webhook secrets and for credentials of connected services. */
  readonly ring: Pick<KeyRing, 'find'>;
  /** The client for websites and webhooks; default: the guarded one. */
  readonly fetch?: Fetcher;
  /** Opens the connections of one crawl; default: guarded ones. */
  readonly openFetchSession?: () => FetchSession;
  /** The fetch for connected services; default: the process's own. */
  readonly serviceFetch?: typeof fetch;
}

/** Whether the website gets alerts about search engines. */
function isAlerted(control: ControlPlane, websiteId: string): boolean {
  const { alerts_enabled, seo_alerts_enabled } = alertSettingsOf(control.state(), websiteId);
  return alerts_enabled && seo_alerts_enabled;
}

/** The job of the language model. @throws ConfigError */
function insightsJobOf({ config, registry, newId, logger, onStop }: Service): WebsiteJob {
  const model = openLanguageModel(config);
  if (model === null) logger.info('INSIGHTS_URL is not set: no insights are written');
  else onStop(() => model.close());
  const metrics = createInsightMetrics(registry);
  return insightsJob({ model, metrics, newId, tokensPerDay: config.INSIGHTS_TOKENS_PER_DAY });
}

/** A run of an erased website writes nothing more, so the error does no harm. */
function planOfWebsite(control: ControlPlane, websiteId: string, now: number): Plan {
  const { websites, organisations } = control.state();
  const organisation = organisations.get(websites.get(websiteId)?.organisationId ?? '');
  if (organisation === undefined) throw new Error(`there is no organisation of website ${websiteId}`);
  return planOf(organisation, now);
}

export interface OpenJobs {
  /** Not ready while the earlier runs of an owned partition are unknown, or alerts have waited for the store for long. */
  notReady(): NotReady;
}

/** Starts the jobs service in this process. @throws ConfigError */
export async function openJobs(service: Service, parts: JobsParts): Promise<OpenJobs> {
  const { config, now, logger, registry, onCrash } = service;
  const { log, clickhouse, control } = parts;
  const fetch = parts.fetch ?? createFetcher({ userAgent: config.FETCH_USER_AGENT });
  async function sendAlerts(alerts: readonly Alert[]): Promise<void> {
    await log.append('alerts', alerts.map(alertRecord));
  }
  const files = await openFileStore(config, { base: publicUrls(config).base, now });
  const lists = followLists({ reader: clickhouse, now, logger });
  service.onStop(async () => lists.stop());
  const jobs = await startJobs({
    log,
    jobs: [
      ...websiteJobs({
        fetches: config.FETCH_WEBSITES,
        isAlerted: (websiteId) => isAlerted(control, websiteId),
        sendAlerts,
        days: files && {
          store: files.store,
          scheduleOf: (websiteId) => control.state().exportSchedules.get(websiteId),
          retentionDaysOf: (websiteId) => planOfWebsite(control, websiteId, now()).retentionDays,
          isThere: (websiteId) => control.state().websites.get(websiteId) !== undefined,
          keepsAddresses: (websiteId) =>
            (control.state().websites.get(websiteId)?.privacy.addressDays ?? null) === null,
          rulesVersion: () => lists.rules.versionAt(now()),
        },
      }),
      crawlsJob({ control, fetches: config.FETCH_WEBSITES, files: files?.store ?? null }),
      searchJob({ state: () => control.state(), ring: parts.ring, fetch: parts.serviceFetch }),
      insightsJobOf(service),
      analyticsJob({
        state: () => control.state(),
        ring: parts.ring,
        fetch: parts.serviceFetch,
        senderOf: createSenders(loadReferrerList()),
      }),
    ],
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
  if (config.FETCH_WEBSITES)
    service.onStop(
      keepListsFresh(
        {
          ...{ clickhouse, fetch, now, logger, feeds: lists.data().feeds },
          history: () => lists.data().history,
          reread: lists.read,
        },
        jobs.leads,
      ),
    );
  openCrawls(service, {
    ...{ clickhouse, control, assignmentOf: jobs.assignmentOf },
    files: files?.store ?? null,
    openFetchSession: parts.openFetchSession,
  });
  if (files === null) logger.info('neither S3_BUCKET nor FILES_DIR is set: no exports are made');
  else
    openExports(service, {
      clickhouse,
      control,
      store: files.store,
      lists,
      assignmentOf: jobs.assignmentOf,
    });
  const notifications = await openNotifications(service, {
    ...parts,
    fetch,
    linkOf: async (done) => (files === null ? null : linkOfExport(files.store, done)),
  });
  return { notReady: () => jobs.notReady() ?? notifications.notReady() };
}
