import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../../shared/durations.js';
import {
  type Delivery,
  deliveryIdOf,
} from '../../../../shared/reads/notifications/notification-deliveries.js';
import { alertWith, audienceWith, NOON } from '../../../../test/harness/jobs/alert.js';
import { importedDelivery } from '../messages/make-deliveries.js';
import { dueSummaries } from './plan-summaries.js';

const waitingAt = (queuedAt: number, index = 0): Delivery => {
  const added = importedDelivery(alertWith({ subject: `${index}` }).alertId, audienceWith());
  const state = { status: 'pending', attempts: 0, reason: '', revision: 0 } as const;
  return { ...added, ...state, id: deliveryIdOf(added), queuedAt, nextAttemptAt: queuedAt };
};

/** Plans each minute, as the service does. @returns when each summary was due, and how many alerts it has */
function summarise(
  minutes: readonly number[],
): { readonly at: number; readonly name: string; rows: Delivery[] }[] {
  let coming = minutes.map((minute, index) => waitingAt(minute * MINUTE_MS, index));
  let waiting: Delivery[] = [];
  const made: ReturnType<typeof summarise> = [];
  for (let now = 0; coming.length + waiting.length > 0; now += MINUTE_MS) {
    waiting.push(...coming.filter(({ queuedAt }) => queuedAt <= now));
    coming = coming.filter(({ queuedAt }) => queuedAt > now);
    for (const { name, rows } of dueSummaries(waiting, now)) {
      made.push({ at: now / MINUTE_MS, name, rows: [...rows] });
      waiting = waiting.filter((row) => !rows.includes(row));
    }
  }
  return made;
}

test('an import is summarised ten minutes after its last alert, and a long one after three hours', () => {
  expect(dueSummaries([], NOON)).toEqual([]);
  expect(dueSummaries([waitingAt(NOON - 3 * HOUR_MS + 1, 1), waitingAt(NOON - 1, 2)], NOON)).toEqual([]);
  expect(summarise([0, 9, 18]).map(({ at, rows }) => [at, rows.length])).toEqual([[28, 3]]);
  expect(summarise([0, 10, 21]).map(({ at }) => at)).toEqual([20, 31]);
  const everyFive = Array.from({ length: 40 }, (_, index) => index * 5);
  expect(summarise(everyFive).map(({ at, rows }) => [at, rows.length])).toEqual([
    [180, 37],
    [205, 3],
  ]);
});

test('each alert is in one summary, all names differ, and no alert waits longer than three hours', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 600 }), { maxLength: 80 }), (minutes) => {
      const made = summarise(minutes);
      const rows = made.flatMap((summary) => summary.rows);
      expect(new Set(rows.map(({ id }) => id)).size).toBe(minutes.length);
      expect(rows).toHaveLength(minutes.length);
      expect(new Set(made.map(({ name }) => name)).size).toBe(made.length);
      for (const { at, rows: own } of made)
        expect(at * MINUTE_MS - Math.min(...own.map(({ queuedAt }) => queuedAt))).toBeLessThanOrEqual(
          3 * HOUR_MS,
        );
    }),
  );
});

test('rows that a killed process has named are due at once, under their name, without later rows', () => {
  const named = [1, 2].map((index) => ({ ...waitingAt(NOON, index), content: 'first' }));
  const later = waitingAt(NOON, 3);
  expect(dueSummaries([...named, later], NOON)).toEqual([{ name: 'first', rows: named, isNamed: true }]);
  expect(dueSummaries([...named, later], NOON + 10 * MINUTE_MS)).toMatchObject([
    { name: 'first', rows: named },
    { name: later.alertId, rows: [later], isNamed: false },
  ]);
});
