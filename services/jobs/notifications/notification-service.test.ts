import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { alertWith, audienceWith, NOON } from '../../../test/harness/jobs/alert.js';
import { statusOf, useProcesses } from '../../../test/harness/jobs/notifications-processes.js';
import {
  createWorld,
  fire,
  type Life,
  type Receiver,
  settle,
} from '../../../test/harness/jobs/notifications-world.js';

const { start, stop } = useProcesses();

describe('an incident', () => {
  test('sends one message to each receiver, on every channel that is on; repeats and merges send none', async () => {
    const world = createWorld(audienceWith());
    await start(world);
    await fire(world, alertWith());
    await settle();
    expect(statusOf(world)).toEqual(['email sent', 'email sent', 'webhook sent']);
    await fire(world, alertWith({ occurrences: 2, lastSeen: NOON + MINUTE_MS }));
    await fire(world, alertWith({ createdAt: NOON + 3 * HOUR_MS }));
    await settle(HOUR_MS);
    expect(world.received).toHaveLength(3);
    expect(new Set(world.received).size).toBe(3);
  });

  test('that strangers cause many times sends people six messages an hour; no other group is limited', async () => {
    const world = createWorld(audienceWith({}, { userIds: ['usr_1'] }));
    const mails = () => [...world.rows.values()].filter(({ channel }) => channel === 'email');
    const probe = (index: number, given = {}) =>
      alertWith({
        type: 'hacking_probe',
        subject: `192.0.2.${index}`,
        createdAt: NOON + index * MINUTE_MS,
        ...given,
      });
    const seen: string[] = [];
    const receive: Receiver = async ({ channel, content }) => {
      if (channel === 'email') seen.push(String(JSON.parse(content).quietUntil));
      return { status: 'sent' };
    };
    const first = await start(world, { receive });
    await fire(world, ...[0, 1, 2, 3].map((index) => probe(index)));
    await settle(MINUTE_MS);
    await fire(world, ...[4, 5, 6, 7, 8, 9].map((index) => probe(index)));
    await settle(MINUTE_MS);
    expect(seen).toEqual([...Array(5).fill('undefined'), String(NOON + HOUR_MS)]);
    expect([...world.rows.values()].filter(({ channel }) => channel === 'webhook')).toHaveLength(10);

    // After a restart the topic is read from its beginning: a limited message is not sent later.
    await stop(first);
    await start(world, { receive });
    await fire(world, ...[0, 5, 6, 9].map((index) => probe(index, { occurrences: 2 })), probe(10));
    await settle(MINUTE_MS);
    expect(mails()).toHaveLength(6);
    expect(seen).toHaveLength(6);

    await fire(world, probe(11, { severity: 'critical' }), alertWith({ createdAt: NOON + 12 * MINUTE_MS }));
    await settle(MINUTE_MS);
    expect(mails()).toHaveLength(8);
    await fire(world, probe(60));
    await settle(MINUTE_MS);
    expect(mails()).toHaveLength(9);
  });

  test('of crawlers, which strangers can cause, delays no e-mail about a fault of the website', async () => {
    const world = createWorld(audienceWith({}, { userIds: ['usr_1'] }));
    const many = Array.from({ length: 30 }, (_, index) =>
      alertWith({ type: 'crawler_drop', subject: `Crawler${index}` }),
    );
    const own = (['traffic_drop', 'latency_spike', 'error_rate'] as const).map((type) =>
      alertWith({ type, createdAt: NOON + MINUTE_MS }),
    );
    await start(world);
    await fire(world, ...many, ...own);
    await settle(MINUTE_MS);
    const mailed = [...world.rows.values()].filter(({ channel }) => channel === 'email');
    const typeOf = ({ content, alertId }: { content: string; alertId: string }) =>
      world.alerts.get(`web_1 ${alertId}`)?.type ?? content;
    expect(mailed.map(typeOf).filter((type) => type === 'crawler_drop')).toHaveLength(6);
    expect(mailed.map(typeOf)).toEqual(expect.arrayContaining(own.map(({ type }) => type)));
  });

  test('of a website whose read fails delays neither its batch nor the next one; it is sent when the read succeeds', async () => {
    const other = audienceWith({}, { websiteId: 'web_other', userIds: [] });
    const world = createWorld(audienceWith({}, { userIds: [] }), other);
    let isBroken = true;
    const first = await start(world, {
      readTraces: (websiteId) => {
        if (isBroken && websiteId === 'web_1') throw new Error('a row that nobody can read');
      },
    });
    await fire(world, alertWith(), alertWith({ websiteId: 'web_other' }));
    await settle(MINUTE_MS);
    await fire(world, alertWith({ websiteId: 'web_other', type: 'latency_spike' }));
    await settle(MINUTE_MS);
    expect([...world.rows.values()].map(({ websiteId }) => websiteId)).toEqual(['web_other', 'web_other']);
    expect(world.received).toHaveLength(2);

    // No later offset was committed, so the next owner reads the batch again.
    await settle(5 * MINUTE_MS);
    await stop(first);
    isBroken = false;
    await start(world);
    await settle(MINUTE_MS);
    expect(world.received).toHaveLength(3);
  });

  test('of a day ago sends nothing, though the topic is read from its beginning', async () => {
    const world = createWorld(audienceWith());
    await fire(
      world,
      alertWith({ createdAt: NOON - DAY_MS - 1 }),
      alertWith({ type: 'new_bot', subject: 'x' }),
    );
    await start(world);
    expect(world.received).toHaveLength(3);
  });

  test('of an erased website, or an unreadable record, delays no other alert', async () => {
    const world = createWorld(audienceWith());
    await world.log.append('alerts', [{ key: 'web_1', value: Buffer.from('no alert') }]);
    await fire(world, alertWith({ websiteId: 'web_gone' }), alertWith());
    await start(world);
    expect(world.received).toHaveLength(3);
  });

  test('is not sent, and no row is written, if its website is erased while it waits', async () => {
    const world = createWorld(audienceWith());
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const receive: Receiver = async () => {
      await gate;
      return { status: 'sent' };
    };
    await start(world, { receive });
    await fire(world, alertWith());
    await settle();
    const revisions = () => [...world.rows.values()].map(({ revision }) => revision);
    world.audiences.clear();
    open();
    await settle(MINUTE_MS);
    expect(revisions()).toEqual([0, 0, 0]);
  });

  test('that is erased while it is being sent is not stored again with its text', async () => {
    const world = createWorld(audienceWith());
    const receive: Receiver = async () => {
      world.rows.clear();
      return { status: 'failed', reason: 'it was away' };
    };
    await start(world, { receive });
    await fire(world, alertWith());
    await settle(MINUTE_MS);
    expect([...world.rows.values()]).toEqual([]);
  });
});

describe('a digest', () => {
  const nightly = { digest_enabled: true, digest_send_hour_utc: 13, email_notifications_enabled: false };

  test('goes out once a day to each user, with only the digest switched on, even if the process restarts', async () => {
    const world = createWorld(audienceWith({ ...nightly, webhook_notifications_enabled: false }));
    const first = await start(world);
    await fire(world, alertWith());
    await settle(HOUR_MS);
    expect(world.received).toEqual([]);
    await settle(10 * MINUTE_MS);
    expect(statusOf(world)).toEqual(['digest sent', 'digest sent']);
    await stop(first);
    await start(world);
    await settle(HOUR_MS);
    expect(world.received).toHaveLength(2);
    // The next day has no alerts.
    await settle(DAY_MS);
    expect(world.received).toHaveLength(2);
  });

  test('is not sent a second time for a day whose hour changes', async () => {
    const world = createWorld(audienceWith({ ...nightly, webhook_notifications_enabled: false }));
    const first = await start(world);
    await fire(world, alertWith());
    await settle(HOUR_MS + 10 * MINUTE_MS);
    await stop(first);
    world.audiences.set(
      'web_1',
      audienceWith({ ...nightly, digest_send_hour_utc: 15, webhook_notifications_enabled: false }),
    );
    await start(world);
    await settle(3 * HOUR_MS);
    expect(world.received).toHaveLength(2);
  });
});

test('scans for due deliveries run one at a time; the next scan finds what arrived during a slow one', async () => {
  const world = createWorld(audienceWith({}, { userIds: [] }));
  let open: (() => void)[] = [];
  let most = 0;
  await start(world, {
    readDue: () => {
      most = Math.max(most, open.length + 1);
      return new Promise<void>((resolve) => open.push(resolve));
    },
  });
  await fire(world, alertWith());
  await settle(5 * MINUTE_MS);
  expect(open).toHaveLength(1);
  for (let round = 0; round < 5; round += 1) {
    for (const each of open.splice(0)) each();
    await settle();
  }
  open = [];
  expect(most).toBe(1);
  expect(world.received).toHaveLength(1);
});

describe('an unavailable store', () => {
  test('is reported by readiness and the metrics after a minute, until the waiting alerts are taken', async () => {
    const world = createWorld(audienceWith());
    const registry = new Registry();
    let isAway = true;
    const life: Life = {
      async step(name, effect) {
        if (isAway && name === 'readTraces') throw new Error('away');
        return effect();
      },
    };
    const notifications = await start(world, { life, registry });
    const figure = async (name: string) => {
      const { values } = await registry.getSingleMetric(name)!.get();
      return values.reduce((sum, { value }) => sum + value, 0);
    };
    await settle(5 * MINUTE_MS);
    expect(notifications.notReady()).toBeNull();
    await fire(world, alertWith({ createdAt: Date.now() }));
    await settle(30_000);
    expect(notifications.notReady()).toBeNull();
    await settle(MINUTE_MS);
    expect(notifications.notReady()).toMatch(/ClickHouse/);
    expect(await figure('loglane_notifications_take_stuck_seconds')).toBeGreaterThanOrEqual(90);
    expect(await figure('loglane_notifications_lag_records')).toBe(1);
    isAway = false;
    await settle(2 * MINUTE_MS);
    expect(notifications.notReady()).toBeNull();
    expect(world.received).toHaveLength(3);
    expect(await figure('loglane_notifications_take_stuck_seconds')).toBe(0);
    expect(await figure('loglane_notifications_lag_records')).toBe(0);
  });
});
