import { z } from 'zod';
import { givenFiles } from '../../../deploy/admin/server/given-files.js';
import { checks } from '../../../services/jobs/checks/all-checks.js';
import { DAY_MS, HOUR_MS } from '../../../shared/durations.js';
import { CHECKS } from '../../../shared/jobs/job-request.js';
import { insertCheckVerdicts } from '../../../shared/reads/checks/check-verdicts.js';
import { insertSitemapFetch } from '../../../shared/reads/sitemaps/sitemap-writes.js';
import { refreshRobots } from '../../../shared/site-files/refresh-robots.js';
import { command, type JobWebsite, type JobWorld, storeCrawls } from '../job-world.js';
import type { JobKind } from './job-kind.js';
import { ask, messagesOf, rowsOf, runOf, wasAsked } from './job-results.js';

const CRAWLS = 500;
/** The check that fails for a home page with an error, and passed the night before. */
const FLIPPED = 'home_answers';

async function storeFiles({ cluster: { clickhouse } }: JobWorld, { id, domain }: JobWebsite): Promise<void> {
  const fetch = givenFiles(new Map([['/robots.txt', Buffer.from('User-agent: *\nDisallow: /private')]]));
  const fetchedAt = Date.now() - HOUR_MS;
  const { signal } = new AbortController();
  await refreshRobots({ fetch, clickhouse, now: () => fetchedAt, signal }, { id, domain });
  const counts = { files: 1, failedFiles: 0, urls: 0, foreignUrls: 0, invalidUrls: 0, problems: [] };
  const walk = { complete: true, reason: null, ...counts };
  await insertSitemapFetch(clickhouse, { websiteId: id, fetchedAt }, walk, fetchedAt + 1);
}

export const nightlyChecks: JobKind = {
  name: CHECKS,
  async prepare(world, websites) {
    const night = { evaluatedAt: Date.now() - DAY_MS };
    const { title, category, weight } = checks.find(({ id }) => id === FLIPPED)!;
    const passed = {
      checkId: FLIPPED,
      title,
      category,
      weight,
      verdict: 'pass',
      evidence: { note: '' },
    } as const;
    for (const { id: websiteId } of websites) {
      await command(world, { type: 'changeAlertSettings', websiteId, email_notifications_enabled: true });
      await insertCheckVerdicts(world.cluster.clickhouse, { websiteId, ...night }, [passed]);
    }
    // Without fetched files, an evaluation is soon repeated.
    for (const website of websites) await storeFiles(world, website);
    await storeCrawls(world, websites, CRAWLS);
  },
  begin: ask(CHECKS),
  hasBegun: wasAsked,
  done: {
    run: 'done, 0 failures',
    alerts: [{ check: FLIPPED, occurrences: 1 }],
    messages: ['email sent, came'],
  },
  async result(world, website) {
    const verdicts = `SELECT concat(check_id, ' ', toString(verdict), ' ', toString(count() OVER (PARTITION BY check_id, day))) AS told
FROM check_verdicts FINAL WHERE website_id = {id: String} ORDER BY check_id, evaluated_at`;
    const alerts = `SELECT JSONExtractString(details, 'check_id') AS check, occurrences FROM alerts FINAL
WHERE website_id = {id: String} ORDER BY alert_id`;
    const told = await rowsOf(world, website, verdicts, z.object({ told: z.string() }));
    const row = z.object({ check: z.string(), occurrences: z.number() });
    return {
      run: await runOf(world, website, CHECKS),
      verdicts: told.map((each) => each.told),
      alerts: await rowsOf(world, website, alerts, row),
      messages: await messagesOf(world, website),
    };
  },
};
