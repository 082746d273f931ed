import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { GroupAssignment, GroupProtocol } from './group-protocol.js';
import { startHeartbeats } from './heartbeats.js';

class ProtocolError extends Error {
  constructor(readonly type: string) {
    super(type);
  }
}

let beat: () => Promise<void>;
let fencedAfter: number | null;
let startedAt: number;
let heartbeats: ReturnType<typeof startHeartbeats>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  fencedAfter = null;
  beat = async () => {};
  startedAt = performance.now();
  const protocol = { heartbeat: () => beat() } as unknown as GroupProtocol;
  const grant: GroupAssignment = {
    generation: 1,
    memberId: 'm',
    partitions: [0],
    total: 1,
    leads: false,
    since: startedAt,
  };
  heartbeats = startHeartbeats(
    protocol,
    grant,
    () => {
      fencedAfter ??= performance.now() - startedAt;
    },
    async () => {},
  );
});
afterEach(async () => {
  const stopped = heartbeats.stop();
  await vi.advanceTimersByTimeAsync(30_000);
  await stopped;
  vi.useRealTimers();
});

it('does not fence a member whose heartbeats are answered', async () => {
  await vi.advanceTimersByTimeAsync(300_000);
  expect(fencedAfter).toBeNull();
});

it.each([
  ['fail', async () => Promise.reject(new Error('no connection'))],
  ['hang', () => new Promise<void>((resolve) => setTimeout(resolve, 20_000))],
])(
  'fences by its own clock within a session of the last answered heartbeat, if heartbeats %s',
  async (_how, next) => {
    await vi.advanceTimersByTimeAsync(3_100);
    beat = next;
    await vi.advanceTimersByTimeAsync(5_800);
    expect(fencedAfter).toBeNull();
    await vi.advanceTimersByTimeAsync(200);
    // The last answered heartbeat was sent 3 s after the start; a session lasts six.
    expect(fencedAfter).toBe(9_000);
  },
);

it('fences before the rebalance timeout of a member that delays a rebalance', async () => {
  await vi.advanceTimersByTimeAsync(3_100);
  beat = async () => {
    throw new ProtocolError('REBALANCE_IN_PROGRESS');
  };
  await vi.advanceTimersByTimeAsync(59_000);
  expect(fencedAfter).toBeNull();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(fencedAfter).toBe(63_000);
});

it('fences on the heartbeat that reports it', async () => {
  beat = async () => {
    throw new ProtocolError('UNKNOWN_MEMBER_ID');
  };
  await vi.advanceTimersByTimeAsync(1_600);
  expect(fencedAfter).toBe(1_500);
  await heartbeats.disturbed;
});

it.each([
  ['as ever', async () => {}],
  ['with a rebalance', async () => Promise.reject(new ProtocolError('REBALANCE_IN_PROGRESS'))],
])(
  'fences immediately on a response %s that arrives after the process hung for a session',
  async (_how, answer) => {
    const performanceNow = vi.spyOn(performance, 'now');
    beat = () => {
      // No timer fires meanwhile.
      const wakes = performance.now() + 6_000;
      performanceNow.mockImplementation(() => wakes);
      return answer();
    };
    await vi.advanceTimersByTimeAsync(1_500);
    performanceNow.mockRestore();
    expect(fencedAfter).toBe(7_500);
  },
);
