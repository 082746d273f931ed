import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createShutdownHooks } from '../../shared/service/shutdown-hooks.js';
import { freePort } from '../harness/free-port.js';
import { guideBlocks } from './guide.js';
import { startIngestWorld } from './ingest-world.js';
import { type RunningProgram, runProgram } from './run-program.js';
import { expectCounted, visit } from './visitors.js';

/**
 * Web servers and shippers run here with the blocks of their guides (docs/sources), and every request that is made to a
 * server is counted. Debian: nginx, caddy, haproxy, syslog-ng-core, syslog-ng-mod-http, rsyslog.
 */

let hooks = createShutdownHooks();
afterEach(async () => {
  await hooks.run();
  hooks = createShutdownHooks();
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'loglane-ship-'));
  hooks.add(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function run(
  command: string,
  words: readonly string[],
  environment?: Record<string, string>,
): RunningProgram {
  const program = runProgram(command, words, environment);
  hooks.add(() => program.stop());
  return program;
}

async function startIngest() {
  const world = await startIngestWorld();
  hooks.add(() => world.stop());
  return world;
}

async function untilAnswers(port: number, program: RunningProgram): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (
      await fetch(`http://127.0.0.1:${port}/ready`, { signal: AbortSignal.timeout(1_000) }).then(
        () => true,
        () => false,
      )
    )
      return;
    await sleep(50);
  }
  throw new Error(`nobody answers on ${port}: ${program.output()}`);
}

/** The servers' place for their files, which a guide names in full. */
const files = (folder: string) => {
  mkdirSync(join(folder, 'files'));
  writeFileSync(join(folder, 'files/index.html'), 'hello');
  writeFileSync(join(folder, 'files/big'), 'x'.repeat(200_000));
};

async function startNginx(folder: string): Promise<number> {
  const port = await freePort();
  files(folder);
  const [log] = guideBlocks('nginx', 'nginx', 2, [['/var/log/nginx/access.log', `${folder}/access.log`]]);
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid nginx.pid; error_log error.log; events {}
http {
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`).join(' ')}
  ${log}
  server { listen 127.0.0.1:${port}; root ${folder}/files; location = /ready { access_log off; return 204; } }
}`,
  );
  await untilAnswers(port, run('nginx', ['-p', folder, '-e', 'error.log', '-c', 'nginx.conf']));
  return port;
}

async function startCaddy(folder: string): Promise<number> {
  const port = await freePort();
  files(folder);
  const [log] = guideBlocks('caddy', 'caddyfile', 1, [
    ['/var/log/caddy/access.log', `${folder}/access.log`],
    ['shop.example.com', `http://:${port}`],
  ]);
  const served = `root * ${folder}/files\n file_server\n log_skip /ready\n skip_log /ready`;
  // Caddy 2.6 calls it skip_log.
  const lines = served.replace('\n log_skip /ready', '');
  writeFileSync(
    join(folder, 'Caddyfile'),
    `{\n admin off\n auto_https off\n}\n${log!.trimEnd().replace(/\}$/, `${lines}\n}`)}\n`,
  );
  const program = run('caddy', ['run', '--config', join(folder, 'Caddyfile')], {
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  });
  await untilAnswers(port, program);
  return port;
}

/** A syslog-ng of the test's own: nothing of it lies outside of the folder. */
function runSyslogNg(folder: string, configuration: string): RunningProgram {
  writeFileSync(join(folder, 'syslog-ng.conf'), `@version: 3.38\n@include "scl.conf"\n${configuration}\n`);
  const path = (name: string) => join(folder, name);
  return run('syslog-ng', [
    '-F',
    '--no-caps',
    '-f',
    path('syslog-ng.conf'),
    '-R',
    path('persist'),
    '-p',
    path('pid'),
    '-c',
    path('ctl'),
  ]);
}

const hasRsyslog = existsSync('/usr/sbin/rsyslogd') || process.env.RSYSLOG_ROOT !== undefined;

function runRsyslog(folder: string, configuration: string): RunningProgram {
  const root = process.env.RSYSLOG_ROOT ?? '';
  const libraries = `${root}/usr/lib/x86_64-linux-gnu`;
  writeFileSync(join(folder, 'rsyslog.conf'), `global(workDirectory="${folder}")\n${configuration}\n`);
  const words = [
    '-n',
    '-f',
    join(folder, 'rsyslog.conf'),
    '-i',
    join(folder, 'pid'),
    '-M',
    `${libraries}/rsyslog/`,
  ];
  return run(`${root}/usr/sbin/rsyslogd`, words, root === '' ? {} : { LD_LIBRARY_PATH: libraries });
}

const missing = ['nginx', 'caddy', 'haproxy', 'syslog-ng'].filter(
  (command) => spawnSync('sh', ['-c', `command -v ${command}`]).status !== 0,
);

it.runIf(process.env.CI)('has every program that it wants on a machine of CI', () => {
  expect(missing).toEqual([]);
  expect(hasRsyslog).toBe(true);
});

describe.skipIf(missing.length > 0)(
  'every request is counted once, with its client, path, status, bytes and time',
  () => {
    it('of nginx, whose file syslog-ng reads', async () => {
      const world = await startIngest();
      const folder = newFolder();
      const port = await startNginx(folder);
      const [file, , way] = guideBlocks('syslog-ng', 'syslog-ng', 3, [
        ['/var/log/nginx/access.log', `${folder}/access.log`],
        ['https://HOST', `http://${world.host}`],
        ['INGEST_KEY', world.key],
      ]);
      const shipper = runSyslogNg(folder, `${file}\n${way}`);
      await expectCounted(await visit(port, 20), world, [shipper]);
    });

    it.skipIf(!hasRsyslog)('of Caddy, whose file rsyslog reads', async () => {
      const world = await startIngest();
      const folder = newFolder();
      const port = await startCaddy(folder);
      const [configuration] = guideBlocks('rsyslog', 'rsyslog', 1, [
        ['/var/log/caddy/access.log', `${folder}/access.log`],
        ['https://HOST:443', `http://${world.host}`],
        ['INGEST_KEY', world.key],
      ]);
      const shipper = runRsyslog(folder, configuration!);
      await expectCounted(await visit(port, 20), world, [shipper]);
    });
  },
);
