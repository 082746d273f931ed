import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { alertWith, audienceWith, NOON } from './alert.fixture.js';
import type { Notifications } from './service.js';
import {
  createWorld,
  fire,
  mortal,
  type Receiver,
  settle,
  startProcess,
  type World,
} from './world.fixture.js';

const running: Notifications[] = [];
async function start(...given: Parameters<typeof startProcess>): Promise<Notifications> {
  const process = await startProcess(...given);
  running.push(process);
  await settle();
  return process;
}
async function stop(process: Notifications): Promise<void> {
  const stopping = process.stop();
  await settle(MINUTE_MS);
  await stopping;
}
beforeEach(() => {
  vi.useFakeTimers({
    now: NOON,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  });
});
afterEach(async () => {
  for (const process of running.splice(0)) await stop(process).catch(() => {});
  vi.useRealTimers();
});

const statusOf = ({ rows }: World) => [...rows.values()].map(({ channel, status }) => `${channel} ${status}`);

describe('an incident', () => {
  test('is told once to each, by every channel that is on; repeats and merges are told nobody', async () => {
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

  test('is told once more where it gets worse', async () => {
    const world = createWorld(audienceWith());
    await start(world);
    await fire(world, alertWith());
    await settle(HOUR_MS);
    await fire(world, alertWith({ severity: 'critical', createdAt: Date.now() }));
    await settle(HOUR_MS);
    expect(world.received).toHaveLength(6);
  });

  test('of which strangers make many is told to people six times an hour; no other share is held back', async () => {
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
    await start(world, { receive });
    await fire(world, ...[0, 1, 2, 3].map((index) => probe(index)));
    await settle(MINUTE_MS);
    await fire(world, ...[4, 5, 6, 7, 8, 9].map((index) => probe(index)));
    await settle(MINUTE_MS);
    expect(seen).toEqual([...Array(5).fill('undefined'), String(NOON + HOUR_MS)]);
    expect([...world.rows.values()].filter(({ channel }) => channel === 'webhook')).toHaveLength(10);

    // After a restart, and from the topic's beginning: what was held back stays so.
    await stop(running.pop()!);
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

  test('of a day ago is told nobody, though the topic is read from its beginning', async () => {
    const world = createWorld(audienceWith());
    await fire(
      world,
      alertWith({ createdAt: NOON - DAY_MS - 1 }),
      alertWith({ type: 'new_bot', subject: 'x' }),
    );
    await start(world);
    expect(world.received).toHaveLength(3);
  });

  test('of a website that is gone, or a record that can not be read, holds nothing up', async () => {
    const world = createWorld(audienceWith());
    await world.log.append('alerts', [{ key: 'web_1', value: Buffer.from('no alert') }]);
    await fire(world, alertWith({ websiteId: 'web_gone' }), alertWith());
    await start(world);
    expect(world.received).toHaveLength(3);
  });

  test('waits where its website is erased before it is sent, and nothing more is written of it', async () => {
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

  test('that goes while it is being sent is not stored again with its text', async () => {
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

  test('goes out once a day to each user, with nothing but the digest switched on, however often the process begins', async () => {
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
    // The next day nothing was found.
    await settle(DAY_MS);
    expect(world.received).toHaveLength(2);
  });

  test('is not sent a second time for a day whose hour is moved', async () => {
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

describe('a receiver', () => {
  test('that fails is tried again for a day, and then it is dead; put in again by the operator it is sent', async () => {
    const world = createWorld(audienceWith({ email_notifications_enabled: false }));
    let answers = false;
    const receive: Receiver = async () =>
      answers ? { status: 'sent' } : { status: 'failed', reason: 'it answered 500' };
    await start(world, { receive });
    await fire(world, alertWith());
    await settle(DAY_MS);
    const [dead] = world.rows.values();
    expect(dead).toMatchObject({ status: 'dead', reason: 'it answered 500' });
    expect(dead!.attempts).toBeGreaterThan(8);
    answers = true;
    await settle(HOUR_MS);
    expect(world.received).toEqual([]);
    const again = { queuedAt: Date.now(), nextAttemptAt: Date.now(), revision: dead!.revision + 1 };
    world.rows.set(dead!.id, { ...dead!, ...again, status: 'pending', attempts: 0 });
    await settle(MINUTE_MS);
    expect(world.received).toEqual([dead!.id]);
  });

  test('for which nothing can be tried is tried again later as one that fails', async () => {
    const world = createWorld(audienceWith({ email_notifications_enabled: false }));
    let tries = 0;
    const receive: Receiver = async () => {
      tries += 1;
      throw new Error('a defect');
    };
    await start(world, { receive });
    await fire(world, alertWith());
    await settle(DAY_MS);
    expect(statusOf(world)).toEqual(['webhook dead']);
    expect(tries).toBeLessThan(20);
  });

  test('that never answers holds up nobody else’s messages, and has two of its organisation’s at once', async () => {
    const others = Array.from({ length: 5 }, (_, index) =>
      audienceWith({}, { websiteId: `web_other${index}`, organisationId: `org_other${index}`, userIds: [] }),
    );
    const slow = audienceWith({}, { websiteId: 'web_slow', organisationId: 'org_slow', userIds: [] });
    const world = createWorld(slow, ...others);
    let hanging = 0;
    const receive: Receiver = (delivery, signal) => {
      if (delivery.organisationId !== 'org_slow') return Promise.resolve({ status: 'sent' });
      hanging += 1;
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    await start(world, { receive });
    await fire(
      world,
      ...Array.from({ length: 100 }, (_, index) =>
        alertWith({ websiteId: 'web_slow', type: 'hacking_probe', subject: `10.0.0.${index}` }),
      ),
      ...others.map(({ websiteId }) => alertWith({ websiteId })),
    );
    await settle(MINUTE_MS);
    expect(hanging).toBe(2);
    expect(world.received).toHaveLength(others.length);
  });
});

/** Of one life; all kinds of steps are among them. */
const MOST_STEPS = 50;

test('records are committed a minute after what they led to was stored, and taken again where that was lost with the power', async () => {
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
  /** @returns how often each message was received, and where the process died; null where it came to its end. */
  async function runKilled(step: number, moment: 'before' | 'after') {
    vi.setSystemTime(NOON);
    const digest = { digest_enabled: true, digest_send_hour_utc: 12 };
    const world = createWorld(audienceWith(digest, { userIds: ['usr_1'] }));
    await fire(world, alertWith({ createdAt: NOON - 2 * MINUTE_MS }));
    const life = mortal(step, moment);
    const first = await start(world, { life });
    await settle(10 * MINUTE_MS);
    await fire(world, alertWith({ createdAt: NOON + 10 * MINUTE_MS, severity: 'critical' }));
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

  test('loses no message, and sends one twice only where it died between sending and recording', async () => {
    const whole = await runKilled(Number.POSITIVE_INFINITY, 'before');
    const expected = [...whole.counts.keys()].sort();
    // Two alerts by e-mail and webhook, and the digest.
    expect(expected).toHaveLength(5);
    const deaths = new Set<string>();
    for (const moment of ['before', 'after'] as const)
      for (let step = 0; ; step++) {
        const { diedAt, counts, statuses, unrecorded, twice } = await runKilled(step, moment);
        // The last steps are looks at what is due, without end.
        if (diedAt === null || step > MOST_STEPS) break;
        deaths.add(diedAt);
        expect([diedAt, step, twice]).toEqual([diedAt, step, unrecorded]);
        expect([diedAt, step, [...counts.keys()].sort()]).toEqual([diedAt, step, expected]);
        expect([diedAt, step, [...statuses]]).toEqual([diedAt, step, ['sent']]);
      }
    for (const name of [
      'readTraces',
      'queue',
      'commit',
      'readDue',
      'read',
      'deliver',
      'record',
      'readAlerts',
    ])
      expect([...deaths]).toContain(`before ${name}`);
    expect([...deaths]).toContain('after deliver');
  }, 400_000);
});
