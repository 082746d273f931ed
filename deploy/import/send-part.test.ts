import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createPartSender, Refused } from './send-part.js';

const taken = { accepted: 2, rejected: 1, skipped: 0, errors: [{ line: 3, reason: 'wrong' }] };

function sender(answers: readonly (Response | Error)[]) {
  const requests: RequestInit[] = [];
  const slept: number[] = [];
  const printed: string[] = [];
  const send = createPartSender({
    url: 'http://localhost/v1/logs?source=combined',
    ingestKey: 'll_key',
    fetch: async (_, init) => {
      requests.push(init!);
      const answer = answers[requests.length - 1]!;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    sleep: async (ms) => void slept.push(ms),
    onWait: (reason) => void printed.push(reason),
  });
  return { send: () => send([Buffer.from('one\n'), Buffer.from('two\n')], 'name'), requests, slept, printed };
}

const refusal = (status: number, headers = {}) =>
  Response.json({ detail: `because of ${status}` }, { status, headers });

describe('a part', () => {
  it('is sent compressed, with its name', async () => {
    const { send, requests } = sender([Response.json(taken)]);
    expect(await send()).toEqual(taken);
    expect(gunzipSync(requests[0]!.body as Uint8Array).toString()).toBe('one\ntwo\n');
    expect(requests[0]!.headers).toMatchObject({ 'idempotency-key': 'name', 'x-api-key': 'll_key' });
  });

  it('does not follow a redirect: its key would go to another host', async () => {
    const { send, requests } = sender([
      new Response(null, { status: 302, headers: { location: 'https://other.example/v1/logs' } }),
    ]);
    await expect(send()).rejects.toThrow('a redirect to https://other.example/v1/logs');
    expect(requests.map(({ redirect }) => redirect)).toEqual(['manual']);
  });

  it('shows no text of an answer that a terminal would run or hide', async () => {
    const hostile = '\u001b]0;title\u0007\u009b31m\u202ered\u{e0041}';
    const { send, printed } = sender([
      Response.json({ detail: hostile }, { status: 503 }),
      Response.json({ ...taken, errors: [{ line: 3, reason: hostile }, null] }),
    ]);
    expect(await send()).toMatchObject({ errors: [{ line: 3, reason: 'red' }, { line: 0 }] });
    expect(printed).toEqual(['answered 503: red']);
  });

  it('reads no answer without end', async () => {
    let read = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        read += 2 ** 16;
        controller.enqueue(new Uint8Array(2 ** 16));
      },
    });
    const { send } = sender([new Response(endless, { status: 400 })]);
    await expect(send()).rejects.toThrow(Refused);
    expect(read).toBeLessThan(2 ** 21);
  });

  it('waits for the time of Retry-After, at most an hour, and reports the reason', async () => {
    const { send, slept, printed } = sender([
      refusal(503, { 'retry-after': '1800' }),
      refusal(503, { 'retry-after': '999999' }),
      Response.json(taken),
    ]);
    await send();
    expect(slept).toEqual([1_800_000, 3_600_000]);
    expect(printed[0]).toBe('answered 503: because of 503');
  });

  it('is retried without limit while ingest is unreachable, with backoff and the same name', async () => {
    const gone = new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
    const { send, slept, printed, requests } = sender([...Array<Error>(12).fill(gone), Response.json(taken)]);
    expect(await send()).toEqual(taken);
    expect(slept.slice(0, 3)).toEqual([500, 1_000, 2_000]);
    expect(Math.max(...slept)).toBe(30_000);
    expect(printed[0]).toMatch(/ECONNREFUSED/);
    expect(new Set(requests.map(({ headers }) => JSON.stringify(headers))).size).toBe(1);
  });

  it.each([400, 401, 413, 415])(
    'is not retried after an answer %s, whose reason is reported',
    async (status) => {
      const { send } = sender([refusal(status)]);
      const error = await send().catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(Refused);
      expect((error as Error).message).toBe(
        `http://localhost/v1/logs answered ${status}: because of ${status}`,
      );
    },
  );
});
