import { expect, test } from 'vitest';
import type { EventLog, LogRecord } from '../../../shared/event-log/event-log.js';
import { decodeDeadEntry } from '../../../shared/requests/dead-record.js';
import { createDeadLetters } from './dead-letter.js';

const record = (offset: number, value: Buffer): LogRecord => ({
  partition: 3,
  offset,
  key: 'w',
  appendedAt: 0,
  value,
});

function setUp(append: EventLog['append']) {
  const reportedOffsets: number[] = [];
  const deadLetter = createDeadLetters(3, {
    log: { append },
    onDead: (one) => reportedOffsets.push(one.record.offset),
  });
  return { deadLetter, reportedOffsets };
}

test('a dead record goes to requests.dead with its position, its reason and its bytes', async () => {
  const sent: unknown[] = [];
  const { deadLetter, reportedOffsets } = setUp(async (topic, records) => {
    sent.push([topic, ...records.map(({ key, value }) => [key, decodeDeadEntry(value)])]);
    return [];
  });
  await deadLetter([{ record: record(5, Buffer.of(1, 2)), reason: 'so' }]);
  const entry = {
    kind: 'dead',
    topic: 'requests.raw',
    partition: 3,
    offset: 5,
    reason: 'so',
    value: Buffer.of(1, 2),
  };
  expect(sent).toEqual([['requests.dead', ['w', entry]]]);
  expect(reportedOffsets).toEqual([5]);
});

test('an entry that is too large for the log goes without its bytes, and the others unchanged', async () => {
  const entries: ReturnType<typeof decodeDeadEntry>[] = [];
  const { deadLetter } = setUp(async (_topic, records) => {
    for (const { value } of records) {
      if (value.length > 1_000)
        throw new RangeError('a record of so many bytes is larger than the event log takes');
      entries.push(decodeDeadEntry(value));
    }
    return [];
  });
  await deadLetter([
    { record: record(5, Buffer.alloc(900)), reason: 'large' },
    { record: record(6, Buffer.of(7)), reason: 'small' },
  ]);
  expect(entries).toMatchObject([
    { offset: 5, reason: 'large (900 bytes, too many for this entry)', value: Buffer.of() },
    { offset: 6, reason: 'small', value: Buffer.of(7) },
  ]);
});

test('an unavailable log is an error, and no record is skipped', async () => {
  const { deadLetter } = setUp(async () => {
    throw new Error('away');
  });
  await expect(deadLetter([{ record: record(5, Buffer.of(1)), reason: 'so' }])).rejects.toThrow('away');
});
