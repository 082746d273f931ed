import { describe, expect, it } from 'vitest';
import { LogUnavailableError } from '../../shared/event-log/event-log.js';
import { createMemoryEventLog } from '../../test/harness/memory-event-log.js';
import { createAppendPace } from './pace-appends.js';

/** A record's head, which is all that the pace looks at, with room for its requests. */
function blockOf(requests: number): Buffer {
  const value = Buffer.alloc(5 + 16 * requests);
  value.writeUInt32BE(requests, 1);
  return value;
}

const turnOfLoop = () => new Promise((resolve) => setTimeout(resolve, 5));

function setUp(stalledMs = 60_000) {
  const memory = createMemoryEventLog(1);
  const state = { failing: false };
  const pace = createAppendPace({ mostBehind: 100, stalledMs });
  const log = pace.paced({
    ...memory,
    async append(topic, records) {
      if (state.failing) throw new LogUnavailableError('away');
      return memory.append(topic, records);
    },
  });
  const append = (requests: number) => log.append('requests.raw', [{ key: 'w', value: blockOf(requests) }]);
  const stored = () => memory.records('requests.raw').length;
  return { pace, log, append, stored, state, memory };
}

describe('an append of requests', () => {
  it('waits while too many are behind it, and goes on in order as they get done', async () => {
    const { pace, append, stored } = setUp();
    await append(60);
    await append(60);
    const order: string[] = [];
    const waiting = [append(70).then(() => order.push('first')), append(10).then(() => order.push('second'))];
    await turnOfLoop();
    expect(stored()).toBe(2);
    pace.onDone(60);
    await waiting[0];
    expect(order).toEqual(['first']);
    await turnOfLoop();
    expect(order).toEqual(['first']);
    pace.onDone(60);
    await waiting[1];
    expect(order).toEqual(['first', 'second']);
  });

  it('no longer waits where nothing gets done', async () => {
    const { append, stored } = setUp(20);
    await append(120);
    await append(50);
    await append(50);
    expect(stored()).toBe(3);
  });

  it('counts only while the log has it', async () => {
    const { append, state, stored } = setUp();
    state.failing = true;
    for (let attempt = 0; attempt < 5; attempt++)
      await expect(append(90)).rejects.toThrow(LogUnavailableError);
    state.failing = false;
    await append(90);
    expect(stored()).toBe(1);
  });

  it('is not held up by what an earlier run left behind', async () => {
    const { pace, append, stored } = setUp();
    pace.onDone(1_000_000);
    await append(90);
    await append(90);
    expect(stored()).toBe(2);
  });
});

it('leaves other topics alone', async () => {
  const { append, log, memory } = setUp();
  await append(500);
  await log.append('control.events', [{ key: 'o', value: Buffer.from('{}') }]);
  expect(memory.records('control.events')).toHaveLength(1);
});
