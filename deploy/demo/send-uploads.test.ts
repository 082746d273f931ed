import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Refused } from '../import/send-part.js';
import { createDemoSender } from './send-uploads.js';
import type { Upload } from './uploads.js';

const accepted = (lines = 2) => Response.json({ accepted: lines, rejected: 0, skipped: 0, errors: [] });
const refusedConnection = () => {
  throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
};

/** A sender whose instance returns these answers in order; the last answer repeats. */
function senderTo(...script: (() => Response | Promise<Response>)[]) {
  const keys: string[] = [];
  const bodies: string[] = [];
  const printed: string[] = [];
  const waits: number[] = [];
  const send = createDemoSender({
    url: 'http://ingest.test/v1/logs',
    ingestKey: 'll_test',
    fetch: async (_url, init) => {
      keys.push(new Headers(init?.headers).get('idempotency-key')!);
      bodies.push(gunzipSync(init?.body as Uint8Array).toString());
      return script[Math.min(bodies.length, script.length) - 1]!();
    },
    sleep: async (ms) => waits.push(ms),
    print: (text) => printed.push(text),
  });
  return { send, keys, bodies, printed, waits };
}

const uploads = (count: number): Upload[] =>
  Array.from({ length: count }, (_, index) => ({ lines: 2, body: Buffer.from(`upload ${index}`) }));

describe('uploads', () => {
  it('are sent once each, a few at a time', async () => {
    let [underWay, most] = [0, 0];
    const { send, bodies } = senderTo(async () => {
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setTimeout(resolve, 2));
      underWay--;
      return accepted();
    });
    expect(await send(uploads(12), 24)).toBe(24);
    expect(most).toBe(3);
    expect(bodies.toSorted()).toEqual(
      uploads(12)
        .map(({ body }) => body.toString())
        .toSorted(),
    );
  });

  it('have unique keys, which no other run uses', async () => {
    const [one, other] = [senderTo(accepted), senderTo(accepted)];
    await one.send(uploads(4), 8);
    await one.send(uploads(4), 8);
    await other.send(uploads(4), 8);
    expect(new Set([...one.keys, ...other.keys]).size).toBe(12);
  });

  it('are reported at each tenth of the expected number', async () => {
    const { send, printed } = senderTo(() => accepted(10));
    await send(uploads(5), 100);
    expect(printed).toEqual([1, 2, 3, 4, 5].map((tenth) => `${tenth * 10} % sent (${tenth * 10} requests)`));
  });

  it('are repeated with the same key while a known instance restarts or is busy', async () => {
    const busy = () => new Response('{}', { status: 503, headers: { 'retry-after': '2' } });
    const { send, keys, waits, printed } = senderTo(accepted, refusedConnection, busy, accepted);
    await send(uploads(1), 4);
    expect(await send(uploads(1), Number.POSITIVE_INFINITY)).toBe(2);
    expect(waits).toEqual([500, 2_000]);
    expect(new Set(keys).size).toBe(2);
    expect(printed).toContain("waiting 1 s: ingest.test can't be reached (ECONNREFUSED)");
  });

  it('fail at once with instructions if no instance listens', async () => {
    const { send, waits } = senderTo(refusedConnection);
    await expect(send(uploads(1), 2)).rejects.toEqual(
      expect.objectContaining({ exitCode: 6, message: expect.stringMatching(/ingest\.test.*npm start/) }),
    );
    expect(waits).toEqual([]);
  });

  it('fail with the reason if the key is wrong', async () => {
    const { send } = senderTo(() => Response.json({ detail: 'invalid key' }, { status: 401 }));
    const failure = await send(uploads(1), 2).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Refused);
    expect((failure as Error).message).toContain('answered 401: invalid key');
  });

  it('stop and fail if a line is rejected', async () => {
    const rejected = () =>
      Response.json({ accepted: 1, rejected: 1, errors: [{ line: 2, reason: 'no time' }] });
    const { send, bodies } = senderTo(accepted, rejected);
    await expect(send(uploads(50), 100)).rejects.toEqual(
      expect.objectContaining({ exitCode: 1, message: expect.stringContaining('no time') }),
    );
    expect(bodies.length).toBeLessThan(8);
  });
});
