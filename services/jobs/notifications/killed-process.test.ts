import { describe, expect, test, vi } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { alertWith, audienceWith, NOON } from '../../../test/harness/jobs/alert.js';
import { useProcesses } from '../../../test/harness/jobs/notifications-processes.js';
import { createWorld, fire, mortal, settle } from '../../../test/harness/jobs/notifications-world.js';

const { start, stop } = useProcesses();

/** Until the process ends; all kinds of steps are among them. */
const MOST_STEPS = 50;

test('records are committed a minute after their messages were stored, and are taken again if those were lost in a power cut', async () => {
  const world = createWorld(audienceWith());
  await fire(world, alertWith());
  const first = await start(world);
  const committed = async () => [...(await world.log.committed('alerts', 'notifications')).values()];
  await settle(30_000);
  expect([world.received.length, await committed()]).toEqual([3, []]);
  await stop(first);
  world.rows.clear();
  const second = await start(world);
  expect(world.received).toHaveLength(6);
  await settle(2 * MINUTE_MS);
  expect(await committed()).toMatchObject([{ offset: 1 }]);
  await stop(second);
  world.rows.clear();
  await start(world);
  expect(world.received).toHaveLength(6);
});

describe('a process that is killed between any two steps', () => {
  /** @returns how often each message was received, and the step at which the process died; null: it ran to its end */
  async function runKilled(step: number, moment: 'before' | 'after') {
    vi.setSystemTime(NOON);
    const digest = { digest_enabled: true, digest_send_hour_utc: 12 };
    const world = createWorld(audienceWith(digest, { userIds: ['usr_1'] }));
    await fire(world, alertWith({ createdAt: NOON - 2 * MINUTE_MS }));
    const life = mortal(step, moment);
    const first = await start(world, { life });
    await settle(10 * MINUTE_MS);
    await fire(world, alertWith({ createdAt: NOON + 10 * MINUTE_MS, type: 'latency_spike' }));
    await settle(10 * MINUTE_MS);
    await stop(first);
    const unrecorded = world.received.filter((id) => world.rows.get(id)!.status !== 'sent').sort();
    const second = await start(world);
    await settle(HOUR_MS);
    await stop(second);
    const counts = new Map<string, number>();
    for (const id of world.received) counts.set(id, (counts.get(id) ?? 0) + 1);
    const statuses = new Set([...world.rows.values()].map(({ status }) => status));
    const twice = [...counts].filter(([, count]) => count > 1).map(([id]) => id);
    return { diedAt: life.diedAt, counts, unrecorded, twice: twice.sort(), statuses };
  }

  test('loses no message, and sends one twice only if it died between sending and recording', async () => {
    const whole = await runKilled(Number.POSITIVE_INFINITY, 'before');
    const expected = [...whole.counts.keys()].sort();
    // Two alerts by e-mail and webhook, and the digest.
    expect(expected).toHaveLength(5);
    const deaths = new Set<string>();
    for (const moment of ['before', 'after'] as const)
      for (let step = 0; ; step++) {
        const { diedAt, counts, statuses, unrecorded, twice } = await runKilled(step, moment);
        // The last steps are endless scans for due deliveries.
        if (diedAt === null || step > MOST_STEPS) break;
        deaths.add(diedAt);
        expect([diedAt, step, twice]).toEqual([diedAt, step, unrecorded]);
        expect([diedAt, step, [...counts.keys()].sort()]).toEqual([diedAt, step, expected]);
        expect([diedAt, step, [...statuses]]).toEqual([diedAt, step, ['sent']]);
      }
    for (const name of ['readTraces', 'queue', 'commit', 'readDue', 'read', 'send', 'record', 'readAlerts'])
      expect([...deaths]).toContain(`before ${name}`);
    expect([...deaths]).toContain('after send');
  }, 400_000);
});
