import pino from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import type { EventLog } from '../../../shared/event-log/event-log.js';
import { decodeDeadEntry, encodeDeadEntry } from '../../../shared/requests/dead-record.js';
import { createMemoryEventLog, type MemoryEventLog } from '../../../test/harness/memory-event-log.js';
import { createDeadLetterQueue } from './dead-letter-queue.js';

const logger = pino({ level: 'silent' });
const NOW = Date.parse('2026-11-21T12:00:00Z');
let log: MemoryEventLog;

beforeEach(() => {
  log = createMemoryEventLog(3, () => NOW);
});

const queueOn = (on: EventLog = log) => createDeadLetterQueue({ log: on, logger });

function deadLetter(partition: number, offset: number, { reason = 'unknown schema id 99', key = 'w' } = {}) {
  const value = Buffer.from([0x63, partition, offset, 0xff]);
  const entry = { kind: 'dead', topic: 'requests.raw', partition, offset, reason, value } as const;
  return log.append('requests.dead', [{ key, value: encodeDeadEntry(entry) }]);
}

const raw = () => log.records('requests.raw').map(({ key, value }) => [key, [...value]]);
const at = (partition: number, offset: number) => ({ partition, offset });

describe('an entry', () => {
  test('is read as it was written, with every byte of its record', () => {
    const value = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const dead = {
      kind: 'dead',
      topic: 'requests.raw',
      partition: 3,
      offset: 7,
      reason: 'so',
      value,
    } as const;
    expect(decodeDeadEntry(encodeDeadEntry(dead))).toEqual(dead);
    const note = { kind: 'replayed', topic: 'requests.raw', partition: 3, offset: 7, to: at(1, 2) } as const;
    expect(decodeDeadEntry(encodeDeadEntry(note))).toEqual(note);
  });

  test.each(['', 'not JSON', '{"kind":"dead"}', '[]'])('that is invalid is refused: %j', (text) => {
    expect(() => decodeDeadEntry(Buffer.from(text))).toThrow(/^requests\.dead: not an entry/);
  });
});

describe('the list', () => {
  test('shows each dead record once, with its reason, even if it was buried repeatedly', async () => {
    await deadLetter(0, 5);
    await deadLetter(1, 5, { reason: 'cut off' });
    await deadLetter(0, 5, { reason: 'after a restart' });
    expect(await queueOn().list()).toEqual([
      {
        topic: 'requests.raw',
        partition: 0,
        offset: 5,
        reason: 'unknown schema id 99',
        bytes: 4,
        buriedAt: '2026-11-21T12:00:00.000Z',
        state: 'dead',
        replayedAt: null,
        replayedTo: null,
      },
      expect.objectContaining({ partition: 1, offset: 5, reason: 'cut off' }),
    ]);
  });

  test('skips unreadable entries', async () => {
    await log.append('requests.dead', [{ key: 'w', value: Buffer.from('?') }]);
    await deadLetter(0, 1);
    expect(await queueOn().list()).toHaveLength(1);
  });

  test('is empty without dead records', async () => {
    expect(await queueOn().list()).toEqual([]);
  });
});

describe('a replay', () => {
  test('appends the original bytes under the original key, and returns the new position', async () => {
    await deadLetter(0, 5, { key: 'site-a' });
    await deadLetter(0, 6, { key: 'site-b' });
    const [done] = await queueOn().replay(at(0, 6), { again: false });
    expect(raw()).toEqual([['site-b', [0x63, 0, 6, 0xff]]]);
    const [stored] = log.records('requests.raw');
    expect(done).toMatchObject({
      ...at(0, 6),
      state: 'replayed',
      replayedTo: at(stored!.partition, stored!.offset),
    });
    expect((await queueOn().list()).map(({ state }) => state)).toEqual(['dead', 'replayed']);
  });

  test('of all records replays each dead record once', async () => {
    await deadLetter(0, 5);
    await deadLetter(0, 5);
    await deadLetter(2, 9);
    await deadLetter(1, 1);
    await queueOn().replay(at(2, 9), { again: false });
    const done = await queueOn().replay('all', { again: false });
    expect(done.map(({ partition, offset }) => [partition, offset])).toEqual([
      [0, 5],
      [1, 1],
    ]);
    expect(raw()).toHaveLength(3);
    expect(await queueOn().replay('all', { again: false })).toEqual([]);
    expect(raw()).toHaveLength(3);
  });

  test('is refused a second time, unless `again` is set', async () => {
    await deadLetter(0, 5);
    const desk = queueOn();
    await desk.replay(at(0, 5), { again: false });
    await expect(desk.replay(at(0, 5), { again: false })).rejects.toMatchObject({ code: 'conflict' });
    expect(raw()).toHaveLength(1);
    await desk.replay(at(0, 5), { again: true });
    expect(raw()).toHaveLength(2);
  });

  test('runs once for two simultaneous calls', async () => {
    await deadLetter(0, 5);
    const desk = queueOn();
    const outcomes = await Promise.allSettled([
      desk.replay(at(0, 5), { again: false }),
      desk.replay(at(0, 5), { again: false }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(raw()).toHaveLength(1);
  });

  test.each([
    ['before the record is appended', 'requests.raw', 0],
    ['after the append', 'requests.dead', 1],
  ])('that is interrupted %s is not repeated by mistake', async (_, topic, nth) => {
    await deadLetter(0, 5);
    let count = 0;
    const failing: EventLog = {
      ...log,
      async append(to, records) {
        if (to === topic && count++ === nth) throw new Error('killed');
        return log.append(to, records);
      },
    };
    await expect(queueOn(failing).replay(at(0, 5), { again: false })).rejects.toThrow('killed');
    expect(await queueOn().list()).toMatchObject([{ state: 'replaying', replayedTo: null }]);
    await expect(queueOn().replay(at(0, 5), { again: false })).rejects.toThrow(/may have been replayed/);
    expect(await queueOn().replay('all', { again: false })).toEqual([]);
  });

  test('of a position without a dead record is refused', async () => {
    await expect(queueOn().replay(at(0, 5), { again: true })).rejects.toMatchObject({ code: 'not_found' });
  });
});
