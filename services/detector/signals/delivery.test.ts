import { expect, it } from 'vitest';
import { minuteOf } from '../../../shared/detection/signal.fixture.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { learnDelivery, newDelivery, patienceOf } from './delivery.js';

const START = Date.UTC(2026, 9, 6);
const upload = (storedAt: number, late: number) => ({
  ...{ token: `${storedAt}`, websiteId: 'w', storedAt },
  minutes: [minuteOf({ minute: storedAt - late - MINUTE_MS })],
});

it('learns no lateness from the parts of a first delivery', () => {
  const delivery = newDelivery();
  for (let part = 0; part < 20; part += 1)
    learnDelivery(delivery, upload(START + part * MINUTE_MS, 20 * HOUR_MS), part > 5);
  expect(patienceOf(delivery)).toBe(0);
});

it('learns that of a website whose logs come once a day', () => {
  const delivery = newDelivery();
  for (let day = 0; day < 5; day += 1)
    learnDelivery(delivery, upload(START + day * DAY_MS, 20 * HOUR_MS), day > 0);
  expect(patienceOf(delivery)).toBeGreaterThan(15 * HOUR_MS);
});
