import { expect, it } from 'vitest';
import { createByteRates } from './byte-rates.js';

/** A clock that sleeping advances. */
function world(bytesPerSecond: number) {
  let now = 0;
  const rates = createByteRates({
    bytesPerSecond,
    now: () => now,
    sleep: async (ms) => {
      now += ms;
    },
  });
  return {
    rates,
    at: () => now,
    advance: (ms: number) => {
      now += ms;
    },
  };
}

it('passes a burst at once, and limits later bytes to the rate', async () => {
  const { rates, at } = world(1_000);
  await rates.waitForRate('w1', 4_000);
  expect(at()).toBe(0);
  for (let chunk = 0; chunk < 20; chunk++) await rates.waitForRate('w1', 500);
  expect(at()).toBe(10_000);
});

it('limits each website separately', async () => {
  const { rates, at } = world(1_000);
  for (let chunk = 0; chunk < 8; chunk++) await rates.waitForRate('w1', 1_000);
  const before = at();
  await rates.waitForRate('w2', 4_000);
  expect(at()).toBe(before);
});

it('refuses new uploads after seconds of delay, and accepts them again when the website sends less', async () => {
  const { rates, advance } = world(1_000);
  expect(() => rates.refuseWhileHeldBack('w1')).not.toThrow();
  for (let chunk = 0; chunk < 8; chunk++) await rates.waitForRate('w1', 1_000);
  expect(() => rates.refuseWhileHeldBack('w1')).not.toThrow();
  for (let chunk = 0; chunk < 4; chunk++) await rates.waitForRate('w1', 1_000);
  expect(() => rates.refuseWhileHeldBack('w1')).toThrow(
    expect.objectContaining({ status: 503, retryAfterSeconds: 5, fields: { reason: 'bytes_a_second' } }),
  );
  expect(() => rates.refuseWhileHeldBack('w2')).not.toThrow();
  advance(1_000);
  expect(() => rates.refuseWhileHeldBack('w1')).not.toThrow();
});
