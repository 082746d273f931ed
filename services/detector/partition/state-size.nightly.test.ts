import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../shared/durations.js';
import { botOf, countsOf } from '../../../test/harness/detector/counts.js';
import { createWorld, START, startLife, upload } from '../../../test/harness/detector/partition-world.js';
import { playSteady, STEP } from '../../../test/harness/detector/steady-traffic.js';
import { encodeArrivals } from '../arrivals/arrivals-codec.js';
import { intervalOf } from '../arrivals/intervals.js';
import { beginClosing, dueNow, newWebsiteArrivals, takeArrival } from '../arrivals/website-arrivals.js';
import { mergeFinding } from '../findings/merge.js';
import { remember } from '../memory/memory.js';
import { detectorCore } from '../open-detector.js';

/** Size of the detector's state of a website, in the store and in memory. */

const IDLE_BYTES = 2 * 1024;
const IDLE_MEMORY = 10 * 1024;

/** Size of the engine's answer to one read, in which a state is one row. */
const LONGEST_ROW = 16 * 1024 ** 2;

test('the learned state of a mature website fits into the store’s answers many times over', {
  timeout: 300_000,
}, () => {
  const state = detectorCore.newState('w');
  const end = Date.UTC(2026, 9, 5) + 30 * DAY_MS;
  const names = Array.from({ length: 60 }, (_, at) =>
    botOf({ name: `Bot${at}`, family: `Bot${at}`, requests: 3 }),
  );
  playSteady(state, { start: end - 30 * DAY_MS, end }, (usual, at) => ({
    ...usual,
    byBot: [...usual.byBot, names[(at / STEP) % names.length]!],
  }));
  const text = detectorCore.encode(state);
  console.log(`characters of a mature website's state: ${text.length}`);
  expect(text.length).toBeLessThan(150_000);
});

/**
 * The longest texts of requests: characters of three bytes, or characters that JSON escapes with a second
 * one.
 */
test.each([
  ['of three bytes', '漢'],
  ['that JSON quotes', '"'],
])('no text of a request makes a state too long to be read: texts %s', { timeout: 300_000 }, (_, filling) => {
  const state = detectorCore.newState('w');
  const text = (beginning: string) => beginning.padEnd(120, filling);
  for (let at = 0; at < 30; at += 1) {
    const byBot = Array.from({ length: 320 }, (_bot, index) => {
      const name = text(`${at} ${index}`);
      return botOf({
        name,
        family: name,
        operator: name,
        verification: index % 2 === 0 ? 'verified' : 'spoofed',
      });
    });
    remember(state.memory, START + at * STEP, countsOf({ start: START + at * STEP, byBot }), true);
  }
  const details = {
    network: text('n'),
    sample_user_agent: text('u').padEnd(200, filling),
    sample_paths: ['/a', '/b', '/c'].map(text),
    addresses: Array.from({ length: 20 }, (_address, at) => ({ ip: `2001:db8::${at}`, network: text('n') })),
  };
  for (let subject = 0; subject < 600; subject += 1) {
    const found = { subject: text(`${subject}`), severity: 'warning', message: text('m') } as const;
    mergeFinding(state.open, 'w', 'hacking_probe', { ...found, details }, START);
  }
  const bytes = Buffer.byteLength(detectorCore.encode(state));
  console.log(`bytes of the longest state: ${bytes}`);
  expect(bytes).toBeLessThan(LONGEST_ROW / 2);
});

test('the saved arrivals of an idle website are short, and not much longer while an archive waits', () => {
  const website = newWebsiteArrivals();
  for (let minute = START - 3 * DAY_MS; minute < START; minute += 7 * MINUTE_MS) {
    const storedAt = minute + 90_000;
    takeArrival(website, {
      ...{
        websiteId: 'w',
        storedAt,
        receivedAt: storedAt,
        hasPendingClaims: true,
        oldestMinute: minute,
        newestMinute: minute,
      },
      intervals: [intervalOf(minute)],
    });
    for (let due = dueNow(website, storedAt, 48); due !== null; due = dueNow(website, storedAt, 48))
      beginClosing(website, due);
  }
  const idle = encodeArrivals(website).length;
  console.log(`characters of an idle website's arrivals: ${idle}`);
  expect(idle).toBeLessThan(IDLE_BYTES);

  const archive = newWebsiteArrivals();
  const oldest = START - 28 * DAY_MS;
  takeArrival(archive, {
    ...{
      websiteId: 'w',
      storedAt: START,
      receivedAt: START,
      hasPendingClaims: true,
      oldestMinute: oldest,
      newestMinute: START - MINUTE_MS,
    },
    intervals: Array.from({ length: (28 * DAY_MS) / STEP }, (_, at) => oldest + at * STEP),
  });
  expect(encodeArrivals(archive).length).toBeLessThan(2 * IDLE_BYTES);
});

test('ten thousand idle websites take less than 10 KB each in memory', { timeout: 300_000 }, async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const websites = 10_000;
  const world = Object.assign(createWorld(), { cacheBytes: 0 });
  const life = startLife(world);
  collect();
  const before = process.memoryUsage().heapUsed;
  for (const at of [-60, -40, -20]) {
    for (let website = 0; website < websites; website += 1)
      upload(world, { at, website: `web_${website}`, requests: { [at - 1]: 1 } });
    await life.detector.push(world.log);
    await life.detector.work(START + (at + 15) * MINUTE_MS);
    // The store and the log do not count as the detector's memory.
    world.log.length = 0;
    for (const rows of [world.states, world.health, world.arrivals]) rows.clear();
    world.requests.length = 0;
  }
  await life.detector.save();
  for (const rows of [world.states, world.health, world.arrivals]) rows.clear();
  collect();
  const each = (process.memoryUsage().heapUsed - before) / websites;
  console.log(`bytes of an idle website in memory: ${Math.round(each)}`);
  expect(life.detector.status().websites).toBe(websites);
  expect(each).toBeGreaterThan(100);
  expect(each).toBeLessThan(IDLE_MEMORY);
});
