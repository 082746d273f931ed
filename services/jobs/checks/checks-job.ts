import type { Alert } from '../../../shared/alerts/alert.js';
import { DAY_MS } from '../../../shared/durations.js';
import { CHECKS } from '../../../shared/jobs/job-request.js';
import { insertAlerts, readAlertsSeen } from '../../../shared/reads/alerts/alert-writes.js';
import { insertCheckVerdicts, readChecks } from '../../../shared/reads/checks/check-verdicts.js';
import type { CheckResult } from '../../../shared/reads/checks/verdict.js';
import type { JobDeps, JobResult, JobWebsite, WebsiteJob } from '../runner/website-job.js';
import { alertsOfChecks, alertsSince } from './alert-of-checks.js';
import { checks } from './all-checks.js';
import { gatherFacts } from './gather/gather-facts.js';
import type { VisitBounds } from './gather/visit.js';
import { judgeWebsite } from './judge-website.js';

export interface ChecksParts {
  /** false: this installation sends no requests to websites, and checks that need them are unknown. */
  readonly fetches: boolean;
  /** Whether failing checks raise alerts for the website (spec §2.4: `alerts_enabled`, `seo_alerts_enabled`). */
  readonly isAlerted: (websiteId: string) => boolean;
  /** Sends the alerts to subscribers, at least once: the id identifies an alert. @throws LogUnavailableError */
  readonly sendAlerts: (alerts: readonly Alert[]) => Promise<void>;
  /** Limits of the light fetches; for tests. */
  readonly bounds?: VisitBounds;
}

/** Alerts of some days. There are fewer checks, and each has at most one lasting alert. */
const MOST_KNOWN = 1_000;

/**
 * The nightly checks of a website. The job gathers the facts once, judges them, sends alerts and stores the verdicts. The verdicts are written last, in one
 * insert, so an interrupted run starts over. If there are no logs, or robots.txt and sitemaps were not fetched yet, the job runs again soon. Checks that
 * need them are unknown until then, and a change from unknown raises no alert.
 */
export function checksJob({ fetches, isAlerted, sendAlerts, bounds }: ChecksParts): WebsiteJob {
  async function alert(
    website: JobWebsite,
    { clickhouse, signal }: JobDeps,
    now: number,
    results: readonly CheckResult[],
  ) {
    const before = await readChecks(clickhouse, website.id);
    const last = before[0];
    if (last === undefined || !isAlerted(website.id)) return;
    const known = await readAlertsSeen(clickhouse, {
      later: new Map([[website.id, alertsSince(last.evaluatedAt)]]),
      after: null,
      most: MOST_KNOWN,
      types: ['check_failed'],
    });
    const alerts = alertsOfChecks({ websiteId: website.id, now, results, before, known });
    if (alerts.length === 0) return;
    // The rows come first, as in the detector: each sent alert is in the listing.
    await insertAlerts(clickhouse, alerts);
    signal.throwIfAborted();
    await sendAlerts(alerts);
  }

  return {
    name: CHECKS,
    everyMs: DAY_MS,
    waitsFor: fetches ? 'website' : 'store',
    // Without logs and without fetches there is nothing to judge.
    scheduledFor: fetches ? 'fetched' : 'month',
    async run(website, deps): Promise<JobResult> {
      const { clickhouse, fetch, now, signal, logger } = deps;
      const gathered = await gatherFacts(
        { clickhouse, fetch: fetches ? fetch : null, now, signal, bounds },
        website,
      );
      const results = await judgeWebsite(checks, gathered, logger);
      const evaluatedAt = now();
      signal.throwIfAborted();
      await alert(website, deps, evaluatedAt, results);
      await insertCheckVerdicts(clickhouse, { websiteId: website.id, evaluatedAt }, results);
      const { flow, robots, sitemaps } = gathered;
      const isWithoutLogs = 'lastReceivedAt' in flow && flow.lastReceivedAt === null;
      const isEarly = [robots, sitemaps].some((fact) => 'absent' in fact && fact.isToCome);
      return isWithoutLogs || isEarly ? 'nothing_yet' : undefined;
    },
  };
}
