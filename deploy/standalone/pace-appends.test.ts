import { afterEach, describe, expect, it, vi } from 'vitest';
import { LogUnavailableError } from '../../shared/event-log/event-log.js';
import { createMemoryEventLog } from '../../test/harness/memory-event-log.js';
import { createAppendPace, MOST_ENTRIES } from './pace-appends.js';

/** The header of a record, which is all that the pace reads, and bytes for its requests. */
function blockOf(requests: number, bytes = 29 + 10 * requests, texts = 0): Buffer {
  const value = Buffer.alloc(bytes);
  value[0] = 1;
  value.writeUInt32BE(requests, 1);
  value.writeUInt32BE(texts, 9);
  return value;
}

const turnOfLoop = () => new Promise((resolve) => setTimeout(resolve, 5));

function setUp(stalledMs = 60_000, mostBehind = 100, leastBehind = mostBehind) {
  const memory = createMemoryEventLog(1);
  const state = { failing: false, onHeld: () => {} };
  const pace = createAppendPace({ leastBehind, mostBehind, bytesPerRequest: 100, stalledMs });
  const log = pace.paced({
    ...memory,
    async append(topic, records) {
      if (state.failing) throw new LogUnavailableError('away');
      const positions = await memory.append(topic, records);
      state.onHeld();
      return positions;
    },
  });
  const append = (requests: number, website = 'w', bytes?: number, texts?: number) =>
    log.append('requests.raw', [{ key: `${website}/7`, value: blockOf(requests, bytes, texts) }]);
  const stored = () => memory.records('requests.raw').length;
  return { done: (offset: number) => pace.onDone(0, offset), log, append, stored, state, memory };
}

afterEach(() => vi.useRealTimers());

describe('an append of requests', () => {
  it('waits while too many requests are unstored, and continues in order as they are stored', async () => {
    const { done, append, stored } = setUp();
    await append(60);
    await append(60);
    const order: string[] = [];
    const waiting = [append(70).then(() => order.push('first')), append(10).then(() => order.push('second'))];
    await turnOfLoop();
    expect(stored()).toBe(2);
    done(0);
    await waiting[0];
    expect(order).toEqual(['first']);
    await turnOfLoop();
    expect(order).toEqual(['first']);
    done(1);
    await waiting[1];
    expect(order).toEqual(['first', 'second']);
  });

  it('waits while more requests are unstored than the store recently stored in 0.75 seconds', async () => {
    vi.useFakeTimers();
    const { done, append, stored } = setUp(1e6, 100_000, 2_000);
    const appendHundreds = async (hundreds: number) => {
      for (let at = 0; at < hundreds; at += 1) {
        void append(100);
        await vi.advanceTimersByTimeAsync(0);
      }
    };
    // 4,000 requests per second, for half a minute.
    for (let half = 0; half < 60; half += 1) {
      await appendHundreds(20);
      done(stored() - 1);
      await vi.advanceTimersByTimeAsync(500);
    }
    const before = stored();
    await appendHundreds(100);
    // 0.75 seconds at 4,000 per second are 3,000. The last progress was half a second ago, so the rate has decayed to 2,845. Appends are not split.
    expect(100 * (stored() - before)).toBe(2_900);
  });

  it('waits only once without progress, and again after progress', async () => {
    vi.useFakeTimers();
    const { done, append, stored } = setUp(1_000);
    await append(120);
    void append(50);
    await vi.advanceTimersByTimeAsync(999);
    expect(stored()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    for (let round = 0; round < 20; round++) void append(50);
    await vi.advanceTimersByTimeAsync(0);
    expect(stored()).toBe(22);
    done(0);
    void append(50);
    await vi.advanceTimersByTimeAsync(0);
    expect(stored()).toBe(22);
  });

  it('counts only if the log has stored it', async () => {
    const { append, state, stored } = setUp();
    state.failing = true;
    for (let attempt = 0; attempt < 5; attempt++)
      await expect(append(90)).rejects.toThrow(LogUnavailableError);
    state.failing = false;
    await append(90);
    expect(stored()).toBe(1);
  });

  it('does not wait for records of an earlier run', async () => {
    const { done, append, stored, memory } = setUp();
    await memory.append('requests.raw', [{ key: 'w', value: blockOf(1_000) }]);
    await append(90);
    done(0);
    void append(90);
    void append(90);
    await turnOfLoop();
    // Their progress does not raise the limit.
    expect(stored()).toBe(3);
  });

  it('stops counting when the enricher has passed it, stored or not', async () => {
    const { done, append, stored } = setUp();
    // The enricher refuses the first; the second is dropped by age while the store is unavailable.
    await append(1_000_000);
    void append(90);
    await turnOfLoop();
    expect(stored()).toBe(1);
    done(0);
    await turnOfLoop();
    expect(stored()).toBe(2);
    done(1);
    await append(90);
    await append(90);
    expect(stored()).toBe(4);
  });

  it('does not count if the enricher passes it before the log acknowledges it', async () => {
    const { done, append, stored, state } = setUp();
    state.onHeld = () => done(stored() - 1);
    for (let round = 0; round < 5; round++) await append(90);
    expect(stored()).toBe(5);
  });

  it('counts by its bytes if its requests are few and long', async () => {
    const { done, append, stored } = setUp();
    await append(1, 'w', 6_000);
    await append(1, 'w', 6_000);
    void append(1);
    await turnOfLoop();
    expect(stored()).toBe(2);
    done(0);
    await turnOfLoop();
    expect(stored()).toBe(3);
  });

  it('counts by its distinct texts if there are many', async () => {
    const { done, append, stored } = setUp();
    await append(20, 'w', undefined, 20);
    await append(30, 'w', 2_000, 220);
    void append(1);
    await turnOfLoop();
    expect(stored()).toBe(2);
    done(0);
    void append(1);
    await turnOfLoop();
    expect(stored()).toBe(2);
    done(1);
    await turnOfLoop();
    expect(stored()).toBe(4);
  });

  it('alternates with other websites: it waits for one append of each, never for all appends of another', async () => {
    const { done, append, stored } = setUp();
    await append(60, 'w1');
    await append(60, 'w2');
    const order: string[] = [];
    for (let round = 0; round < 20; round++) void append(100, 'w1').then(() => order.push('w1'));
    void append(100, 'w2').then(() => order.push('w2'));
    await turnOfLoop();
    for (let offset = 0; offset < 3; offset++) {
      done(offset);
      await turnOfLoop();
    }
    expect(order.slice(0, 2)).toEqual(['w1', 'w2']);
    expect(stored()).toBe(5);
  });

  it('does not wait for other websites if its own website has few unstored requests', async () => {
    const { append, stored } = setUp();
    await append(100, 'busy');
    for (let round = 0; round < 20; round++) void append(100, 'busy');
    for (let round = 0; round < 2; round++) void append(1, 'quiet');
    await turnOfLoop();
    expect(stored()).toBe(3);
  });

  it('waits if its website has used its share of the reserve: an eighth, divided by the waiting websites', async () => {
    const { append, stored } = setUp(60_000, 1_000);
    await append(1_000, 'busy');
    await append(62, 'quiet');
    await append(1, 'quiet');
    void append(1, 'quiet');
    await turnOfLoop();
    expect(stored()).toBe(3);
  });

  it('also waits if many websites have few unstored requests each', async () => {
    const { append, stored } = setUp(60_000, 1_000);
    await append(1_000, 'busy');
    for (let website = 0; website < 5_000; website++) void append(5, `quiet ${website}`);
    await turnOfLoop();
    void append(5, 'quiet 0');
    await turnOfLoop();
    // At most one append of each website.
    expect(stored()).toBe(5_001);
  });

  it('counts exactly for any number of appends', async () => {
    const { done, append, stored } = setUp(1, MOST_ENTRIES + 10);
    for (let round = 0; round < MOST_ENTRIES + 10; round++) await append(1);
    const next = append(1);
    await turnOfLoop();
    done(stored() - 1);
    await next;
    const before = stored();
    await Promise.all([append(MOST_ENTRIES), append(1)]);
    expect(stored()).toBe(before + 2);
  });
});

it('does not delay other topics', async () => {
  const { append, log, memory } = setUp();
  await append(500);
  await log.append('control.events', [{ key: 'o', value: Buffer.from('{}') }]);
  expect(memory.records('control.events')).toHaveLength(1);
});
