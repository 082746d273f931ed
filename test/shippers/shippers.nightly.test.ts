import { describe, expect, it } from 'vitest';
import { freePort } from '../harness/free-port.js';
import { guideBlocks } from './guide.js';
import type { IngestWorld } from './ingest-world.js';
import { newFolder, startIngest, untilListensForUdp } from './programs.js';
import { startApache, startCaddy, startHaproxy, startNginx } from './servers.js';
import { hasRsyslog, missingOf, runRsyslog, runSyslogNg } from './shippers.js';
import { expectCounted, visit } from './visitors.js';

/**
 * Web servers and shippers run here with the blocks of their guides (docs/sources), and every request to a server is counted.
 * Debian: nginx, apache2-bin, caddy, haproxy, syslog-ng-core, syslog-ng-mod-http, rsyslog, rsyslog-elasticsearch.
 */

const missing = missingOf(['nginx', 'apache2', 'caddy', 'haproxy', 'syslog-ng']);

it.runIf(process.env.CI)('has all its programs on a CI machine', () => {
  expect(missing).toEqual([]);
  expect(hasRsyslog).toBe(true);
});

function syslogNgBlocks(world: IngestWorld, accessLog: string, syslogPort = 5514, source = '') {
  return guideBlocks('syslog-ng', 'syslog-ng', 3, [
    ['/var/log/nginx/access.log', accessLog],
    ['port(5514)', `port(${syslogPort})`],
    ['https://HOST/v1/logs', `http://${world.host}/v1/logs?source=${source}`],
    ['INGEST_KEY', world.key],
  ]);
}

function rsyslogBlocks(world: IngestWorld, accessLog: string, syslogPort: number) {
  return guideBlocks('rsyslog', 'rsyslog', 2, [
    ['/var/log/caddy/access.log', accessLog],
    ['port="5514"', `port="${syslogPort}"`],
    ['https://HOST:443', `http://${world.host}`],
    ['INGEST_KEY', world.key],
  ]);
}

const ROUNDS = 25;

describe.skipIf(missing.length > 0)('every request is counted once, unchanged', () => {
  it('of nginx, whose file syslog-ng reads', async () => {
    const world = await startIngest();
    const folder = newFolder();
    const port = await startNginx(folder);
    const [file, , way] = syslogNgBlocks(world, `${folder}/access.log`);
    const shipper = runSyslogNg(folder, `${file}\n${way}`);
    await expectCounted(await visit(port, ROUNDS), world, [shipper]);
  });

  it('of Apache, whose file syslog-ng reads', async () => {
    const world = await startIngest();
    const folder = newFolder();
    const port = await startApache(folder);
    const [file, , way] = syslogNgBlocks(world, `${folder}/access.log`);
    const shipper = runSyslogNg(folder, `${file}\n${way}`);
    await expectCounted(await visit(port, ROUNDS), world, [shipper]);
  });

  it.skipIf(!hasRsyslog)('of Caddy, whose file rsyslog reads', async () => {
    const world = await startIngest();
    const folder = newFolder();
    const port = await startCaddy(folder);
    const [file] = rsyslogBlocks(world, `${folder}/access.log`, await freePort());
    const shipper = runRsyslog(folder, file!);
    await expectCounted(await visit(port, ROUNDS), world, [shipper], { client: 'forwarded' });
  });

  it.skipIf(!hasRsyslog)('of nginx, which writes to rsyslog by syslog', async () => {
    const world = await startIngest();
    const folder = newFolder();
    const syslogPort = await freePort();
    const [file, syslog] = rsyslogBlocks(world, `${folder}/access.log`, syslogPort);
    const shipper = runRsyslog(folder, `${withoutInput(file!)}\n${syslog}`);
    await untilListensForUdp(syslogPort, shipper);
    const port = await startNginx(folder, syslogPort);
    await expectCounted(await visit(port, ROUNDS), world, [shipper]);
  });

  it('of HAProxy, which writes to syslog-ng by syslog', async () => {
    const world = await startIngest();
    const [folder, behind] = [newFolder(), newFolder()];
    const syslogPort = await freePort();
    const [, syslog, way] = syslogNgBlocks(
      world,
      `${folder}/access.log`,
      syslogPort,
      'haproxy&captures=user-agent,referer,host',
    );
    const shipper = runSyslogNg(folder, `${syslog}\n${way!.replace('source(s_access)', 'source(s_syslog)')}`);
    await untilListensForUdp(syslogPort, shipper);
    const port = await startHaproxy(folder, await startNginx(behind), syslogPort);
    // It counts the answer's headers.
    await expectCounted(await visit(port, ROUNDS), world, [shipper], { moreBytes: 400 });
  });
});

/** The block without the file that it reads. */
const withoutInput = (block: string) => block.replace(/^input\(.*$/m, '');
