import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endWithThisProcess } from './end-with-this-process.js';
import { freePort } from './free-port.js';

/**
 * A real nginx or Apache on a separate port, with configuration lines under test. It has no pages, so
 * unmatched requests get 404. It trusts the address in `X-Client`.
 */
export interface WebServer {
  /** The status of a GET of the unchanged path. */
  statusOf(path: string, from?: { address?: string; userAgent?: string }): Promise<number>;
  stop(): Promise<void>;
}

export type WebServerName = 'nginx' | 'apache';

const binaries = { nginx: ['nginx'], apache: ['apache2', 'httpd'] } as const;

/**
 * The binary of the server.
 * @returns null, after a message, if there is none
 * @throws instead if CI is set
 */
export function findWebServer(name: WebServerName): string | null {
  for (const binary of binaries[name]) {
    try {
      execFileSync(binary, ['-v'], { stdio: 'ignore' });
      return binary;
    } catch {}
  }
  const reason = `no ${name} for tests: neither ${binaries[name].join(' nor ')}`;
  if (process.env.CI) throw new Error(reason);
  console.warn(`${reason}; tests that need it are skipped`);
  return null;
}

/** @throws Error with the server's message if it refuses the lines */
export async function startWebServer(name: WebServerName, binary: string, lines: string): Promise<WebServer> {
  const folder = mkdtempSync(join(tmpdir(), 'loglane-web-'));
  const port = await freePort();
  writeFileSync(join(folder, 'lines.conf'), lines);
  writeFileSync(join(folder, 'main.conf'), configurations[name](folder, port));
  const flags =
    name === 'nginx'
      ? ['-p', folder, '-e', 'error.log', '-c', 'main.conf']
      : ['-d', folder, '-f', 'main.conf'];
  const checked = spawnSync(binary, [...flags, '-t'], { encoding: 'utf8' });
  if (checked.status !== 0) {
    rmSync(folder, { recursive: true });
    throw new Error(checked.stderr);
  }
  const child = spawn(binary, name === 'nginx' ? flags : [...flags, '-X'], { stdio: 'ignore' });
  endWithThisProcess(child, folder);
  const statusOf = statusFrom(port);
  while (!(await statusOf('/').then(isThere, () => false))) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
    await sleep(50);
  }
  return {
    statusOf,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => {
          rmSync(folder, { recursive: true, force: true });
          resolve();
        });
        child.kill('SIGKILL');
      }),
  };
}

const isThere = () => true;

const statusFrom =
  (port: number): WebServer['statusOf'] =>
  (path, { address = '192.0.2.77', userAgent = 'Firefox' } = {}) =>
    new Promise((resolve, reject) => {
      const headers = { 'X-Client': address, 'User-Agent': userAgent, Host: 'shop.example' };
      request({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode!);
      })
        .on('error', reject)
        .end();
    });

/** In one process, which the test ends. */
const configurations: Record<WebServerName, (folder: string, port: number) => string> = {
  nginx: (folder, port) => `
daemon off;
master_process off;
pid nginx.pid;
events {}
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  server {
    listen 127.0.0.1:${port};
    root ${folder}/files;
    set_real_ip_from 127.0.0.1;
    real_ip_header X-Client;
    include lines.conf;
  }
}
`,
  apache: (folder, port) => `
${['mpm_prefork', 'authz_core', 'alias', 'remoteip'].map(loadModule).join('\n')}
ServerName shop.example
Listen 127.0.0.1:${port}
PidFile apache.pid
ErrorLog error.log
Mutex posixsem
DocumentRoot ${folder}
RemoteIPHeader X-Client
RemoteIPInternalProxy 127.0.0.1
<VirtualHost *>
  Include lines.conf
</VirtualHost>
`,
};

const modules = ['/usr/lib/apache2/modules', '/usr/lib64/httpd/modules', '/usr/libexec/apache2'].find(
  existsSync,
);

const loadModule = (name: string) => `LoadModule ${name}_module ${modules}/mod_${name}.so`;
