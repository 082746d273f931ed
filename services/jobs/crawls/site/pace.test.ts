import { expect, test } from 'vitest';
import { createPace } from './pace.js';

const never = new AbortController().signal;

/** A clock that advances when it is waited for. */
function paceAt(requestsPerSecond: number) {
  let time = 0;
  const pace = createPace({
    requestsPerSecond,
    now: () => time,
    async pause(ms, signal) {
      signal.throwIfAborted();
      time += ms;
    },
  });
  const turns = async (count: number) => {
    const times: number[] = [];
    await Promise.all(Array.from({ length: count }, () => pace.turn(never).then(() => times.push(time))));
    return times;
  };
  const pass = (ms: number) => {
    time += ms;
  };
  return { pace, turns, pass };
}

test('concurrent requests start at the configured rate', async () => {
  expect(await paceAt(2).turns(5)).toEqual([0, 500, 1_000, 1_500, 2_000]);
  const idle = paceAt(2);
  await idle.turns(1);
  idle.pass(10_000);
  expect(await idle.turns(3)).toEqual([10_000, 10_500, 11_000]);
});

test('a website may request a slower pace, up to ten seconds, and never a faster one', async () => {
  const { pace, turns } = paceAt(2);
  pace.ask(100);
  expect(await turns(2)).toEqual([0, 500]);
  pace.ask(86_400_000);
  expect(await turns(3)).toEqual([1_000, 11_000, 21_000]);
});

test('Retry-After is obeyed within bounds, and the pace is slower until responses are normal again', async () => {
  const { pace, turns, pass } = paceAt(1);
  await turns(1);
  expect(pace.throttled('30')).toBe(1);
  expect(await turns(2)).toEqual([30_000, 32_000]);
  expect(pace.throttled('99999999')).toBe(2);
  expect(await turns(1)).toEqual([152_000]);
  // No valid header: a number below 0 is invalid too.
  expect(pace.throttled('-5')).toBe(3);
  expect(await turns(1)).toEqual([172_000]);
  expect(pace.throttled(new Date(180_000).toUTCString())).toBe(4);
  expect(await turns(2)).toEqual([180_000, 188_000]);
  for (let good = 0; good < 100; good += 1) pace.went();
  pass(8_000);
  expect(await turns(2)).toEqual([196_000, 197_000]);
  expect(pace.throttled(null)).toBe(1);
});

test('a cancelled request stops waiting and delays no other request', async () => {
  const { pace, turns } = paceAt(1);
  await turns(1);
  await expect(pace.turn(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  expect(await turns(1)).toEqual([1_000]);
});
