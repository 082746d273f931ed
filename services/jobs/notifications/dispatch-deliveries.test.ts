import pino from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SECOND_MS } from '../../../shared/durations.js';
import type { Delivery } from '../../../shared/reads/notifications/notification-deliveries.js';
import type { Assignment } from '../runner/assignments.js';
import { createAttempt } from './attempt-delivery.js';
import { createDispatcher } from './dispatch-deliveries.js';

const delivery: Delivery = {
  id: 'd1',
  websiteId: 'web_1',
  organisationId: 'org_1',
  channel: 'email',
  target: 'usr_1',
  alertId: 'a1',
  content: '{}',
  status: 'pending',
  attempts: 0,
  reason: '',
  queuedAt: 0,
  nextAttemptAt: 0,
  revision: 0,
};

beforeEach(() => {
  vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => void vi.useRealTimers());

/** A dispatcher with one delivery under way, which ends only when it is cancelled. */
async function sending(assignment: Assignment) {
  let isGivenUp = false;
  let begun = () => {};
  const underWay = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const dispatcher = createDispatcher({
    readDue: async () => [delivery],
    assignmentOf: () => assignment,
    read: async () => delivery,
    send: (_, signal) =>
      new Promise((_resolve, reject) => {
        begun();
        signal.addEventListener('abort', () => {
          isGivenUp = true;
          reject(signal.reason);
        });
      }),
    record: () => Promise.reject(new Error('nothing was sent')),
    isKnown: () => true,
    metrics: { attempts: { inc() {} }, seconds: { observe() {} } } as never,
    now: Date.now,
    logger: pino({ level: 'silent' }),
  });
  await dispatcher.scan();
  await underWay;
  return { dispatcher, isGivenUp: () => isGivenUp };
}

const assignmentNow = (): Assignment => ({ partition: 0, isReady: true, leaving: new AbortController() });

test('attempts in progress may end during a grace period when a partition is handed over', async () => {
  const assignment = assignmentNow();
  const { dispatcher, isGivenUp } = await sending(assignment);
  vi.setSystemTime(8 * SECOND_MS);
  const left = dispatcher.leave(assignment, false);
  await vi.advanceTimersByTimeAsync(4 * SECOND_MS);
  expect(isGivenUp()).toBe(false);
  await vi.advanceTimersByTimeAsync(SECOND_MS);
  expect(isGivenUp()).toBe(true);
  await left;
});

test('attempts in progress are cancelled at once if the process hung until another replica owned its partition', async () => {
  const assignment = assignmentNow();
  const { dispatcher, isGivenUp } = await sending(assignment);
  // The process stopped just before its heartbeat, and resumed when its session was over.
  vi.setSystemTime(4.5 * SECOND_MS);
  const left = dispatcher.leave(assignment, true);
  expect(isGivenUp()).toBe(true);
  await left;
});

test.each([
  ['another replica sent meanwhile is not to be sent again', { status: 'sent', revision: 1 }, []],
  ['nobody touched meanwhile is', {}, ['pending']],
] as const)('what failed here and %s', async (_what, meanwhile, expected) => {
  let stands: Delivery = delivery;
  const recorded: string[] = [];
  const attempt = createAttempt({
    read: async () => stands,
    async send() {
      stands = { ...delivery, ...meanwhile };
      return { status: 'failed', reason: 'it was given up' };
    },
    record: async ({ status }) => void recorded.push(status),
    isKnown: () => true,
    metrics: { attempts: { inc() {} }, seconds: { observe() {} } } as never,
    now: Date.now,
    logger: pino({ level: 'silent' }),
  });
  await attempt(delivery, assignmentNow(), new AbortController().signal);
  expect(recorded).toEqual(expected);
});
