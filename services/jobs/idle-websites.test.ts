import { Registry } from 'prom-client';
import { describe, expect, test, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/durations.js';
import { START, settle, start, useStoppedClock, website } from '../../test/harness/jobs/service.js';
import { websiteJobs } from './all-jobs.js';
import { createInsightMetrics } from './insights/insight-metrics.js';
import { insightsJob } from './insights/insights-job.js';
import { createLastRuns } from './runner/last-runs.js';
import type { ScheduledFor, WebsiteJob } from './runner/website-job.js';

/** The cost of websites without logs, of which an installation may have ten thousand. */

useStoppedClock();

const unused = { isAlerted: () => true, sendAlerts: async () => {} };
const withoutModel = insightsJob({
  model: null,
  metrics: createInsightMetrics(new Registry()),
  newId: () => 'id',
  tokensPerDay: 1_000,
});

describe('websites that send no logs', () => {
  test('are fetched from in their first days, and not after that', async () => {
    const { ran } = await start({ websites: [website('silent')], readActive: async () => new Map() });
    await settle(7 * DAY_MS);
    const before = ran.length;
    expect(before).toBeGreaterThan(5);
    await settle(5 * DAY_MS);
    expect(ran).toHaveLength(before);
  });

  test('are fetched from again within minutes of their first logs', async () => {
    const active = new Map<string, number>();
    const { ran } = await start({ websites: [website('silent')], readActive: async () => new Map(active) });
    await settle(10 * DAY_MS);
    const before = ran.length;
    active.set('silent', Date.now());
    await settle(6 * MINUTE_MS);
    expect(ran).toHaveLength(before + 1);
  });

  test.each<[ScheduledFor, number]>([
    ['fetched', 30],
    ['month', 30],
    ['quarter', 90],
    ['all', Number.POSITIVE_INFINITY],
  ])('have jobs of the kind %s for %d days after their last logs', async (scheduledFor, days) => {
    const ran = new Set<number>();
    const job: WebsiteJob = {
      ...{ name: 'job', everyMs: DAY_MS, waitsFor: 'store', scheduledFor },
      run: async () => void ran.add(Math.floor((Date.now() - START) / DAY_MS)),
    };
    const readActive = async () => new Map([['once', START]]);
    await start({ websites: [website('once')], jobs: [job], readActive });
    const looks = [10, 29, 31, 89, 91, 200];
    for (const day of looks) {
      vi.setSystemTime(START + day * DAY_MS);
      await settle(MINUTE_MS);
    }
    expect([...ran]).toEqual([0, ...looks.filter((day) => day < days)]);
  });

  test('have no runs if the installation fetches nothing and has no model', async () => {
    const old = (id: string) => ({ ...website(id), createdAt: new Date(START - 10 * DAY_MS).toISOString() });
    const { ended, gauge } = await start({
      websites: Array.from({ length: 100 }, (_, n) => old(`silent${n}`)),
      jobs: [...websiteJobs({ ...unused, fetches: false, days: null }), withoutModel],
      readActive: async () => new Map(),
    });
    expect(await gauge('loglane_jobs_waiting')).toBe(0);
    await settle(3 * HOUR_MS);
    expect(ended).toEqual([]);
  });
});

test('without a model no insight is due, with any number of logs', async () => {
  const { ended } = await start({ websites: [website('busy')], jobs: [withoutModel] });
  await settle(3 * HOUR_MS);
  expect(ended).toEqual([]);
});

test('last runs of jobs that are no longer scheduled are forgotten', () => {
  const scheduled = new Set(['busy', 'silent']);
  const runs = createLastRuns([withoutModel], (websiteId) => scheduled.has(websiteId));
  const run = { job: withoutModel.name, startedAt: START, finishedAt: START, failures: 1 };
  runs.add([
    { ...run, websiteId: 'busy' },
    { ...run, websiteId: 'silent' },
    { ...run, websiteId: 'busy', job: 'a job of an older version' },
  ]);
  scheduled.delete('silent');
  runs.keepScheduled();
  const { name } = withoutModel;
  expect(runs.nextAt('busy', name)).toBe(START + 15 * MINUTE_MS);
  expect([runs.nextAt('silent', name), runs.failures('silent', name)]).toEqual([0, 0]);
});
