import { describe, expect, it } from 'vitest';
import { DemoFailure } from './failure.js';
import { createSender, sendAll } from './send.js';
import type { Upload } from './uploads.js';

const upload: Upload = { lines: 2, contentType: 'text/plain', body: Buffer.from('zipped') };
const accepted = () => Response.json({ accepted: 2, rejected: 0, errors: [] });
const refusedConnection = () => {
  throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
};

/** A sender whose instance answers by this script; the last answer repeats. */
function senderTo(...script: (() => Response)[]) {
  const waits: number[] = [];
  const bodies: string[] = [];
  let call = 0;
  const send = createSender({
    ingestUrl: 'http://ingest.test/v1/logs',
    ingestKey: 'll_test',
    fetch: async (_url, init) => {
      const headers = new Headers(init?.headers);
      expect(headers.get('x-api-key')).toBe('ll_test');
      expect(headers.get('content-encoding')).toBe('gzip');
      bodies.push(Buffer.from(init?.body as Uint8Array).toString());
      return script[Math.min(call++, script.length - 1)]!();
    },
    sleep: async (ms) => waits.push(ms),
  });
  return { send, waits, bodies };
}

const failure = (exitCode: number, message: RegExp) =>
  expect.objectContaining({ exitCode, message: expect.stringMatching(message) });

describe('an upload', () => {
  it('is repeated as it was after the time that a busy instance names', async () => {
    const busy = () => new Response('{}', { status: 503, headers: { 'retry-after': '2' } });
    const { send, waits, bodies } = senderTo(busy, busy, accepted);
    expect(await send(upload)).toEqual({ accepted: 2, rejected: 0, firstError: '' });
    expect(waits).toEqual([2_000, 2_000]);
    expect(bodies).toEqual(['zipped', 'zipped', 'zipped']);
  });

  it('is given up when the instance stays busy', async () => {
    const { send, waits } = senderTo(() => new Response('{}', { status: 503 }));
    await expect(send(upload)).rejects.toEqual(failure(5, /still answers 503 after 8 attempts/));
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
  });

  it('fails at once, and says what to do, where nothing listens', async () => {
    const { send, waits } = senderTo(refusedConnection);
    await expect(send(upload)).rejects.toEqual(failure(3, /nothing answers at .*npm start/));
    expect(waits).toEqual([]);
  });

  it('is repeated while an instance that has answered restarts', async () => {
    const { send, waits } = senderTo(accepted, refusedConnection, accepted);
    await send(upload);
    await send(upload);
    expect(waits).toEqual([1_000]);
  });

  it('is not repeated when the connection broke before the answer', async () => {
    const broken = () => {
      throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
    };
    const { send, bodies } = senderTo(accepted, broken, accepted);
    await send(upload);
    await expect(send(upload)).rejects.toEqual(failure(3, /broke \(ECONNRESET\)/));
    expect(bodies).toHaveLength(2);
  });

  it('with a wrong key names the key', async () => {
    const { send } = senderTo(() => Response.json({ detail: 'invalid key' }, { status: 401 }));
    await expect(send(upload)).rejects.toEqual(failure(4, /refused the key \(401: invalid key\)/));
  });

  it('reports what was rejected', async () => {
    const { send } = senderTo(() => Response.json({ accepted: 1, rejected: 1, errors: [{ line: 2 }] }));
    expect(await send(upload)).toEqual({ accepted: 1, rejected: 1, firstError: '{"line":2}' });
  });
});

describe('many uploads', () => {
  async function* many(count: number): AsyncGenerator<Upload> {
    for (let i = 0; i < count; i++) yield { ...upload, lines: i };
  }

  it('go out a few at a time, each once', async () => {
    let underWay = 0;
    let most = 0;
    const lines: number[] = [];
    await sendAll(
      many(12),
      async () => {
        most = Math.max(most, ++underWay);
        await new Promise((resolve) => setTimeout(resolve, 2));
        underWay--;
        return { accepted: 1, rejected: 0, firstError: '' };
      },
      { atOnce: 3, onSent: (_sent, one) => lines.push(one.lines) },
    );
    expect(most).toBe(3);
    expect(lines.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, index) => index));
  });

  it('stop at the first failure', async () => {
    let sent = 0;
    const failing = sendAll(
      many(50),
      async ({ lines }) => {
        sent++;
        if (lines === 4) throw new DemoFailure('incomplete', 'full');
        return { accepted: 1, rejected: 0, firstError: '' };
      },
      { atOnce: 2, onSent: () => undefined },
    );
    await expect(failing).rejects.toThrow('full');
    expect(sent).toBeLessThan(8);
  });
});
