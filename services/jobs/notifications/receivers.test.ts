import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { alertWith, audienceWith } from '../../../test/harness/jobs/alert.js';
import { statusOf, useProcesses } from '../../../test/harness/jobs/notifications-processes.js';
import { createWorld, fire, type Receiver, settle } from '../../../test/harness/jobs/notifications-world.js';

const { start } = useProcesses();

describe('a receiver', () => {
  test('that fails is retried for a day and is dead then; after the operator queues it again, it is sent', async () => {
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

  test('is retried with backoff if the attempt itself throws', async () => {
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

  test('that never answers alternates with other websites of its organisation', async () => {
    const of = (websiteId: string) => audienceWith({}, { websiteId, userIds: [] });
    const world = createWorld(of('web_slow'), of('web_other'));
    const receive: Receiver = (delivery) =>
      delivery.websiteId === 'web_other'
        ? Promise.resolve({ status: 'sent' })
        : new Promise((resolve) => setTimeout(() => resolve({ status: 'failed', reason: 'slow' }), 10_000));
    await start(world, { receive });
    const slow = Array.from({ length: 50 }, (_, index) =>
      alertWith({ websiteId: 'web_slow', type: 'hacking_probe', subject: `10.0.0.${index}` }),
    );
    await fire(world, ...slow, alertWith({ websiteId: 'web_other' }));
    await settle(15_000);
    expect(world.received).toHaveLength(1);
  });

  test('that never answers delays no other organisation’s messages; an organisation has at most two attempts at once', async () => {
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
