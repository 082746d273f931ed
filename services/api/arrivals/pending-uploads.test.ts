import { afterEach, beforeEach, expect, test } from 'vitest';
import { ENRICHER_GROUP } from '../../../shared/event-log/consumer-groups.js';
import { noUploads } from '../../../shared/uploads/upload-outcome.js';
import { createKnownUploads } from './known-uploads.js';
import { followPendingUploads } from './pending-uploads.js';

const NOON = Date.parse('2026-11-21T12:00:00Z');

let next: number;
let committed: number;
let isAway: boolean;
let now: number;
let stop: () => Promise<void>;

beforeEach(() => {
  isAway = false;
});
afterEach(() => stop());

/** A log with one partition, read at noon, and the upload records of ingest. */
async function pendingUploads() {
  [next, committed, now] = [5, 5, NOON];
  const uploads = createKnownUploads();
  const log = {
    async offsets() {
      if (isAway) throw new Error('away');
      return new Map([[0, { oldest: 0, next }]]);
    },
    async committed(_topic: string, group: string) {
      return new Map(group === ENRICHER_GROUP ? [[0, { offset: committed, metadata: '' }]] : []);
    },
  };
  const onStop = (undo: () => Promise<void>) => {
    stop = undo;
  };
  const pending = followPendingUploads({ now: () => now, onStop }, { log: log as never, uploads });
  await pending.look();
  let accepted = 0;
  return {
    pending: () => pending.storedThrough('w'),
    notify: () => pending.notify('w'),
    upload(lines: number) {
      accepted += lines;
      const last = {
        at: now,
        kind: 'taken',
        source: null,
        reason: '',
        accepted: lines,
        rejected: 0,
        skipped: 0,
      };
      const counts = { ...noUploads, taken: 1, accepted };
      const one = { websiteId: 'w', hourStart: NOON, counts, last: last as never, lastRejection: null };
      uploads.merge({ replicaId: 'r', websites: [one] }, now);
    },
  };
}

test('an upload is pending until the enrichers have committed its records', async () => {
  const { pending, upload } = await pendingUploads();
  expect(await pending()).toBeNull();
  now = NOON + 10;
  next = 7;
  upload(3);
  now = NOON + 20;
  expect(await pending()).toBe(NOON);
  committed = 6;
  expect(await pending()).toBe(NOON);
  committed = 7;
  expect(await pending()).toBeNull();
});

test('a stored upload is not pending because of later uploads of other websites', async () => {
  const { pending, upload } = await pendingUploads();
  now = NOON + 10;
  next = 7;
  upload(3);
  now = NOON + 20;
  expect(await pending()).toBe(NOON);
  [committed, next, now] = [7, 9, NOON + 30];
  expect(await pending()).toBeNull();
});

test('an upload without accepted lines is not pending, and hides no pending one', async () => {
  const { pending, upload } = await pendingUploads();
  next = 6;
  now = NOON + 10;
  upload(0);
  expect(await pending()).toBeNull();
  upload(2);
  now = NOON + 20;
  upload(0);
  expect(await pending()).toBe(NOON);
});

test('lines with a notification are pending before their upload has ended', async () => {
  const { pending, notify } = await pendingUploads();
  now = NOON + 10;
  next = 7;
  notify();
  expect(await pending()).toBe(NOON);
  committed = 7;
  now = NOON + 20;
  expect(await pending()).toBeNull();
});

test('a website that sends continuously is pending each time', async () => {
  const { pending, notify } = await pendingUploads();
  for (let second = 1; second <= 90; second += 1) {
    now = NOON + second * 1_000;
    next += 1;
    notify();
    expect(await pending()).not.toBeNull();
    [committed, now] = [next, now + 10];
    expect(await pending()).toBeNull();
  }
});

test('later lines of another website make nothing pending, at any consumer lag of the enrichers', async () => {
  const { pending, upload, notify } = await pendingUploads();
  now = NOON + 10;
  next = 7;
  upload(3);
  notify();
  now = NOON + 20;
  // The look after the notification.
  await new Promise((resolve) => setTimeout(resolve, 80));
  [committed, next] = [7, 9_000];
  for (const behind of [30, 3_000, 10_000, 100_000]) {
    now = NOON + behind;
    expect(await pending()).toBeNull();
  }
});

test('an unavailable log makes nothing pending', async () => {
  isAway = true;
  const { pending, upload } = await pendingUploads();
  now = NOON + 10;
  upload(3);
  expect(await pending()).toBeNull();
});
