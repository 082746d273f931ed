import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { openUpload, post, record, records, start, targetsOf } from '../../../test/harness/ingest/http.js';

describe('the service', () => {
  it('answers GET and HEAD on the path with 200, because shippers check their destination', async () => {
    const { url } = await start();
    const get = await fetch(url);
    expect(get.status).toBe(200);
    expect(await get.json()).toEqual({ detail: expect.stringContaining('POST /v1/logs') });
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
  });

  it('does not serve /metrics on this port', async () => {
    const { url } = await start();
    const at = (path: string) => fetch(url.replace('/v1/logs', path)).then(({ status }) => status);
    expect([await at('/metrics'), await at('/healthz')]).toEqual([404, 200]);
  });

  it('counts uploads, lines and bytes by source and outcome', async () => {
    const { url, registry } = await start();
    const body = `${record('/')}\nbad`;
    await post(url, gzipSync(body));
    await post(url, body, {});
    const text = await registry.metrics();
    expect(text).toContain('loglane_ingest_uploads_total{source="loglane",status="200"} 1');
    expect(text).toContain('loglane_ingest_uploads_total{source="none",status="401"} 1');
    expect(text).toContain('loglane_ingest_lines_total{source="loglane",outcome="accepted"} 1');
    expect(text).toContain('loglane_ingest_lines_total{source="loglane",outcome="rejected"} 1');
    expect(text).toContain(`loglane_ingest_bytes_total{form="sent"} ${gzipSync(body).length}`);
    expect(text).toContain(`loglane_ingest_bytes_total{form="inflated"} ${body.length}`);
    expect(text).toContain('loglane_ingest_upload_duration_seconds_count 1');
  });

  it('appends no block of an upload whose sender disconnects midway', async () => {
    const { service, memory, registry } = await start();
    const request = openUpload({ service });
    request.write(`${record('/gone')}\n`);
    await vi.waitFor(async () => expect(await registry.metrics()).toContain('uploads_in_flight 1'));
    request.destroy();
    await vi.waitFor(async () => expect(await registry.metrics()).toContain('uploads_in_flight 0'));
    expect(await registry.metrics()).toContain('status="aborted"} 1');
    expect(memory.records('requests.raw')).toEqual([]);
  });

  it('stops reading from the socket while the log is slow', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { service, registry } = await start({
      config: { INGEST_MAX_BODY_BYTES: 200_000_000, INGEST_MAX_INFLATED_BYTES: 200_000_000 },
      wrap: (log) => ({
        ...log,
        append: async (...given) => {
          await held;
          return log.append(...given);
        },
      }),
    });
    const request = openUpload({ service });
    const chunk = Buffer.from(`${records(2_000)}\n`);
    let sent = 0;
    while (sent < 60_000_000 && request.write(chunk)) sent += chunk.length;
    // Beyond the sockets' buffers, most of the body must wait in the sender.
    for (let count = 0; count < 60; count++) request.write(chunk);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(request.writableLength).toBeGreaterThan(30 * chunk.length);
    release();
    request.end();
    const [answer] = (await once(request, 'response')) as [{ statusCode: number; resume(): void }];
    answer.resume();
    expect(answer.statusCode).toBe(200);
    expect(await registry.metrics()).toContain('uploads_in_flight 0');
  });

  it('finishes the uploads in flight when it stops, and takes no new one', async () => {
    const { url, service, memory } = await start();
    const request = openUpload({ service });
    const answered = once(request, 'response') as Promise<[{ statusCode: number; resume(): void }]>;
    request.write(`${record('/first')}\n`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const stopped = service.stop();
    await expect(post(url, record('/late'))).rejects.toThrow();
    request.end(record('/second'));
    const [answer] = await answered;
    answer.resume();
    expect(answer.statusCode).toBe(200);
    await stopped;
    expect(targetsOf(memory)).toEqual(['/first', '/second']);
  });
});
