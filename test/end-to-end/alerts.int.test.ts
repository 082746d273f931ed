import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startEmbeddedClickHouse } from '../../deploy/embedded/engine/start-engine.js';
import { openLmdbEventLog } from '../../deploy/embedded/log/lmdb-event-log.js';
import { decodeAlert } from '../../shared/alerts/alert-codec.js';
import { MINUTE_MS } from '../../shared/durations.js';
import { connectClickHouse } from '../../shared/store/client.js';
import { freePort } from '../harness/free-port.js';
import { sendUpload } from '../harness/request-stream.js';
import { type Standalone, startStandalone } from '../harness/standalone.js';

/** A scanner's requests lead to one alert through the whole program, which is killed twice. */

const SCANNER = '198.51.100.77';
const logger = pino({ level: 'silent' });
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'loglane-alerts-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Visitors of the last hour, and a scanner within a quarter of it. */
function scannedHour(): string {
  const now = Date.now();
  const quarter = Math.floor(now / (15 * MINUTE_MS)) * 15 * MINUTE_MS - 30 * MINUTE_MS;
  const line = (timestamp: number, client_ip: string, path: string, status: number) =>
    JSON.stringify({
      timestamp: new Date(timestamp).toISOString(),
      client_ip,
      method: 'GET',
      path,
      status,
      bytes_sent: 100,
      user_agent:
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    });
  const visits = Array.from({ length: 60 }, (_, minute) =>
    line(now - minute * MINUTE_MS, `203.0.113.${minute}`, `/p/${minute}`, 200),
  );
  const wanted = ['/.env', '/.git/config', '/wp-login.php', '/.aws/credentials', '/phpmyadmin/index.php'];
  // This many at once are more than a short burst.
  const probes = Array.from({ length: 200 }, (_, at) =>
    line(quarter + (at % 10) * MINUTE_MS, SCANNER, wanted[at % wanted.length]!, 404),
  );
  return [...visits, ...probes].join('\n');
}

/** A metric of the running program. */
async function metric(program: Standalone, name: string): Promise<number> {
  const text = await (await fetch(`${program.metricsUrl}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return Number(line?.split(' ').at(-1) ?? 0);
}

async function untilMetric(program: Standalone, name: string): Promise<void> {
  const deadline = Date.now() + 150_000;
  while ((await metric(program, name)) === 0) {
    if (Date.now() > deadline) throw new Error(`${name} stays 0\n${program.output()}`);
    await sleep(500);
  }
}

async function storedAlerts() {
  const engine = await startEmbeddedClickHouse({ directory: join(dataDir, 'clickhouse'), logger });
  const clickhouse = connectClickHouse(engine.url, { maxMemoryBytes: 1024 ** 3 });
  try {
    return await clickhouse.read({
      name: 'test.alerts',
      sql: 'SELECT alert_id, alert_type, fingerprint, occurrences FROM alerts FINAL ORDER BY alert_id',
      params: {},
      row: z.object({
        alert_id: z.string(),
        alert_type: z.string(),
        fingerprint: z.string(),
        occurrences: z.number(),
      }),
    });
  } finally {
    await clickhouse.close();
    await engine.stop();
  }
}

async function toldAlerts() {
  const log = await openLmdbEventLog({
    directory: join(dataDir, 'log'),
    partitions: 1,
    maxBytes: 1024 ** 3,
    now: Date.now,
    logger,
  });
  const decoded: ReturnType<typeof decodeAlert>[] = [];
  const tail = await log.tail({
    topic: 'alerts',
    onRecords: (records) => void decoded.push(...records.map(({ value }) => decodeAlert(value))),
    onCrash() {},
  });
  await tail.caughtUp;
  await tail.stop();
  await log.close();
  return decoded;
}

const PROBE_ALERTS = 'loglane_detector_alerts_total{type="hacking_probe"}';

test('a scanner is one alert, sent once, although the program is killed before and after it', {
  timeout: 600_000,
}, async () => {
  const ports = { apiPort: await freePort(), ingestPort: await freePort() };
  const first = await startStandalone({ dataDir, ...ports });
  expect(await sendUpload(first.credentials, scannedHour())).toBe(260);
  await untilMetric(first, 'loglane_detector_arrivals_total');
  await first.kill();

  // Its arrivals are recorded again, and then no more arrive for a while.
  const second = await startStandalone({ dataDir, ...ports });
  await untilMetric(second, PROBE_ALERTS);
  await second.kill();

  // Evaluated intervals are saved and not evaluated again.
  const third = await startStandalone({ dataDir, ...ports });
  await untilMetric(third, 'loglane_detector_evaluations_total');
  await sleep(3_000);
  expect(await metric(third, PROBE_ALERTS)).toBe(0);
  expect(await third.stop()).toBe(0);

  const stored = (await storedAlerts()).filter(({ alert_type }) => alert_type === 'hacking_probe');
  expect(stored).toHaveLength(1);
  expect(stored[0]!.fingerprint).toContain(SCANNER);
  const decoded = (await toldAlerts()).filter(({ type }) => type === 'hacking_probe');
  expect(new Set(decoded.map(({ alertId, occurrences }) => `${alertId} ${occurrences}`))).toEqual(
    new Set([`${stored[0]!.alert_id} ${stored[0]!.occurrences}`]),
  );
  expect(decoded[0]!.details).not.toEqual({});
});
