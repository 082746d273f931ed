import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { guideBlocks } from './guide.js';
import type { IngestWorld } from './ingest-world.js';
import { newFolder, run, startIngest } from './programs.js';
import { startNginx } from './servers.js';
import { missingOf } from './shippers.js';
import { expectCounted, visit } from './visitors.js';

/** The OpenTelemetry Collector of `OTELCOL_BIN` (CONTRIBUTING.md, "Set up") runs as in its guide and reads the lines of nginx. */

const collector = process.env.OTELCOL_BIN ?? '';
const ROUNDS = 25;

/** Its own metrics would use a port that is the same for all collectors. */
const quiet = 'service:\n  telemetry:\n    metrics:\n      level: none\n';

function runCollector(folder: string, world: Pick<IngestWorld, 'host' | 'key'>, encoding: string) {
  const [configuration] = guideBlocks('opentelemetry', 'yaml', 1, [
    ['/var/log/nginx/access.log', `${folder}/access.log`],
    ['/var/lib/otelcol/loglane', `${folder}/collector`],
    ['https://HOST/v1/logs', `http://${world.host}/v1/logs`],
    ['INGEST_KEY', world.key],
    ['encoding: proto', `encoding: ${encoding}`],
  ]);
  writeFileSync(join(folder, 'collector.yaml'), configuration!);
  writeFileSync(join(folder, 'quiet.yaml'), quiet);
  const files = ['collector.yaml', 'quiet.yaml'].flatMap((name) => ['--config', join(folder, name)]);
  return run(collector, files);
}

/** A proxy before the endpoint that answers 503 until it is opened. */
async function startGate(world: IngestWorld) {
  let isOpen = false;
  let refused = 0;
  const server = createServer((asked, answer) => {
    if (!isOpen) {
      refused += 1;
      asked.resume().on('end', () => answer.writeHead(503, { 'retry-after': '1' }).end());
      return;
    }
    const { method, url, headers } = asked;
    const [host, port] = world.host.split(':');
    const passed = request({ host, port, method, path: url, headers }, (answered) => {
      answer.writeHead(answered.statusCode!, answered.headers);
      answered.pipe(answer);
    });
    asked.pipe(passed);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: world.key,
    refused: () => refused,
    open() {
      isOpen = true;
    },
  };
}

describe.skipIf(collector === '' || missingOf(['nginx']).length > 0)(
  'the OpenTelemetry Collector (OTELCOL_BIN) counts every request of nginx once, unchanged',
  () => {
    it.each(['proto', 'json'])(
      'also lines written before its start and while it was stopped: %s',
      async (encoding) => {
        const world = await startIngest();
        const folder = newFolder();
        const port = await startNginx(folder);
        const before = await visit(port, ROUNDS);
        const first = runCollector(folder, world, encoding);
        await expectCounted(before, world, [first]);
        await first.stop();
        const between = await visit(port, ROUNDS, ROUNDS);
        const second = runCollector(folder, world, encoding);
        await expectCounted([...before, ...between], world, [first, second]);
      },
    );

    it('also lines that it had read when it was stopped and Loglane was unavailable', async () => {
      const world = await startIngest();
      const gate = await startGate(world);
      const folder = newFolder();
      const port = await startNginx(folder);
      const first = runCollector(folder, gate, 'proto');
      const visits = await visit(port, ROUNDS);
      for (let tries = 0; gate.refused() < 2 && tries < 300; tries++) await sleep(100);
      expect(gate.refused(), first.output()).toBeGreaterThanOrEqual(2);
      await first.stop();
      gate.open();
      const second = runCollector(folder, gate, 'proto');
      await expectCounted(visits, world, [first, second]);
    });
  },
);
