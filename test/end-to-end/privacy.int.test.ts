import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectInstance } from '../../deploy/admin/instance/instance.js';
import { freePort } from '../harness/free-port.js';
import { type Standalone, startStandalone } from '../harness/standalone.js';

/** The operator sets which visitor data of a website a running program stores. */

let dataDir: string;
let program: Standalone;
const start = async () => {
  program = await startStandalone({ dataDir, apiPort: await freePort(), ingestPort: await freePort() });
};
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'loglane-privacy-'));
  await start();
}, 400_000);
afterAll(async () => {
  await program?.stop();
  await rm(dataDir, { recursive: true, force: true });
}, 400_000);

const set = async (wanted: object): Promise<any> =>
  (
    (await connectInstance(dataDir).post('/privacy', {
      websiteId: program.credentials.website_id,
      ...wanted,
    })) as { answer: object }
  ).answer;

const PERSON = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const BOT = 'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)';

/** Four requests of people and two of a bot. */
async function send(path: string): Promise<void> {
  const lines = [PERSON, BOT, PERSON, PERSON, BOT, PERSON].map((user_agent, index) =>
    JSON.stringify({
      timestamp: new Date(Date.now() - index * 1_000).toISOString(),
      ...{
        client_ip: `203.0.113.${index}`,
        method: 'GET',
        host: 'example.com',
        path,
        status: 200,
        user_agent,
      },
    }),
  );
  const { ingest_url, ingest_key } = program.credentials;
  const sent = await fetch(ingest_url, {
    method: 'POST',
    headers: { 'X-API-Key': ingest_key },
    body: lines.join('\n'),
  });
  expect(sent.status).toBe(200);
}

/** The figures of the summary, when it counts `total`. */
async function counted(total: number): Promise<Record<string, unknown>> {
  for (let round = 0; ; round++) {
    const summary: Record<string, unknown> = await program.get('/summary?hours=24');
    if (summary.total_requests === total || round === 100) return summary;
    await sleep(200);
  }
}

test('people are not stored after a website is set to bots only, also after a restart', {
  timeout: 400_000,
}, async () => {
  await send('/before');
  expect(await counted(6)).toMatchObject({ total_requests: 6, human_requests: 4 });
  expect(await set({ botsOnly: true })).toMatchObject({ complete: true, privacy: { botsOnly: true } });
  await send('/after');
  expect(await counted(8)).toMatchObject({ total_requests: 8, human_requests: 4 });
  await program.stop();
  await start();
  await send('/restarted');
  expect(await counted(10)).toMatchObject({ total_requests: 10, human_requests: 4 });
  const { next_steps } = (await program.get('/setup')) as unknown as { next_steps: string[] };
  expect(next_steps.join('\n')).toContain('accepts only bot traffic');
  await set({ botsOnly: false });
  await send('/again');
  expect(await counted(16)).toMatchObject({ total_requests: 16, human_requests: 8 });
});

test('stored requests keep their address until its retention ends, and keep their counts', {
  timeout: 400_000,
}, async () => {
  const before = await counted(16);
  const report = await set({ addressDays: 3 });
  expect(report).toMatchObject({ complete: true, rows: 16, cleared: 0, privacy: { addressDays: 3 } });
  expect(report.remains.length).toBeGreaterThan(3);
  const after = await counted(16);
  expect(after.unique_ips).toBe(before.unique_ips);
  const { requests } = (await program.get('/requests?hours=24&limit=50')) as unknown as {
    requests: { client_ip: string }[];
  };
  expect(requests.every(({ client_ip }) => client_ip.startsWith('203.0.113.'))).toBe(true);
  await send('/under the new days');
  expect(await counted(22)).toMatchObject({ total_requests: 22 });
  expect(await set({ addressDays: 3 })).toMatchObject({ complete: true, rows: 0 });
});
