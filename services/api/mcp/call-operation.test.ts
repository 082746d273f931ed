import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { getSummary } from '../operations/traffic/get-summary.js';
import { type Api, callerOf } from './call-operation.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** An API that computes for so many milliseconds. */
function computing(ms: number) {
  const ready = Date.now() + ms;
  const calls: number[] = [];
  const api = {
    async request() {
      calls.push(Date.now());
      const data_buffering = Date.now() < ready;
      return Response.json(
        { data_buffering, total: data_buffering ? null : 5 },
        { headers: { 'Retry-After': '3' } },
      );
    },
  } as unknown as Api;
  return { api, calls };
}

const options = { key: 'llapi_a', requestId: 'r', now: () => Date.now() };

describe('an answer that is still being computed', () => {
  it('is waited for', async () => {
    const { api, calls } = computing(7_000);
    const call = callerOf(api, { ...options, signal: new AbortController().signal });
    const answer = call(getSummary, { website_id: 'web_1' });
    await vi.advanceTimersByTimeAsync(30_000);
    expect((await answer).json).toEqual({ data_buffering: false, total: 5 });
    expect(calls).toHaveLength(4);
  });

  it.each([
    ['of the call', () => Date.now()],
    ['that does not move', () => 0],
  ])('is waited for 20 s at most, by a clock %s', async (_, now) => {
    const { api, calls } = computing(3_600_000);
    const call = callerOf(api, { ...options, now, signal: new AbortController().signal });
    const answer = call(getSummary, { website_id: 'web_1' });
    await vi.advanceTimersByTimeAsync(20_000);
    expect((await answer).json).toMatchObject({ data_buffering: true });
    expect(calls).toHaveLength(7);
  });

  it('is not waited for when the client has gone', async () => {
    const { api, calls } = computing(3_600_000);
    const gone = new AbortController();
    const answer = callerOf(api, { ...options, signal: gone.signal })(getSummary, { website_id: 'web_1' });
    await vi.advanceTimersByTimeAsync(100);
    gone.abort();
    await answer;
    expect(calls).toHaveLength(2);
  });
});
