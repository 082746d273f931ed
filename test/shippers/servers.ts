import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../harness/free-port.js';
import { guideBlocks } from './guide.js';
import { run, untilAnswers } from './programs.js';

/** Web servers that log as in their guides. Each gets a folder for all of its files and returns its port. */

/** `file` writes `access.log` in the folder; a number is the port of a syslog. */
export type LogsTo = 'file' | number;

export async function startNginx(folder: string, logsTo: LogsTo = 'file'): Promise<number> {
  const port = await freePort();
  makeFiles(folder);
  const [toFile, , toSyslog] = guideBlocks('nginx', 'nginx', 3, [
    ['/var/log/nginx/access.log', `${folder}/access.log`],
    ['127.0.0.1:5514', `127.0.0.1:${logsTo}`],
  ]);
  // The first block has the format; the syslog block replaces only its destination.
  const log = logsTo === 'file' ? toFile : `${toFile!.replace(/^access_log .*$/m, '')}${toSyslog}`;
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

export async function startApache(folder: string): Promise<number> {
  const port = await freePort();
  makeFiles(folder);
  const [log] = guideBlocks('apache', 'apache', 2, [['/var/log/apache2/access.log', `${folder}/access.log`]]);
  const modules = ['mpm_prefork', 'authz_core', 'dir'];
  writeFileSync(
    join(folder, 'apache.conf'),
    `${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
ServerName shop.example.com
Listen 127.0.0.1:${port}
PidFile apache.pid
ErrorLog error.log
Mutex posixsem
DocumentRoot ${folder}/files
DirectoryIndex index.html
${log!.trimEnd()} "expr=%{REQUEST_URI} != '/ready'"
`,
  );
  await untilAnswers(port, run('apache2', ['-d', folder, '-f', 'apache.conf', '-X']));
  return port;
}

export async function startCaddy(folder: string): Promise<number> {
  const port = await freePort();
  makeFiles(folder);
  const [log] = guideBlocks('caddy', 'caddyfile', 1, [
    ['/var/log/caddy/access.log', `${folder}/access.log`],
    ['shop.example.com', `http://:${port}`],
  ]);
  // Newer releases call it log_skip.
  const served = `root * ${folder}/files\n file_server\n skip_log /ready`;
  writeFileSync(
    join(folder, 'Caddyfile'),
    `{\n admin off\n auto_https off\n}\n${log!.trimEnd().replace(/\}$/, `${served}\n}`)}\n`,
  );
  const program = run('caddy', ['run', '--config', join(folder, 'Caddyfile')], {
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  });
  await untilAnswers(port, program);
  return port;
}

/** HAProxy before a server that does not log. */
export async function startHaproxy(folder: string, server: number, syslog: number): Promise<number> {
  const port = await freePort();
  const [configuration] = guideBlocks('haproxy', 'haproxy', 1, [
    ['127.0.0.1:5514', `127.0.0.1:${syslog}`],
    ['bind :80', `bind 127.0.0.1:${port}`],
  ]);
  const timeouts = 'timeout connect 5s\n timeout client 30s\n timeout server 30s\n';
  const more = `\n http-request set-log-level silent if { path /ready }\n default_backend shop\n`;
  const backend = `backend shop\n server one 127.0.0.1:${server}\n`;
  writeFileSync(
    join(folder, 'haproxy.cfg'),
    `${configuration!.replace('frontend www', ` ${timeouts}frontend www`)}${more}${backend}`,
  );
  await untilAnswers(port, run('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')]));
  return port;
}

function makeFiles(folder: string): void {
  mkdirSync(join(folder, 'files'));
  writeFileSync(join(folder, 'files/index.html'), 'hello');
  writeFileSync(join(folder, 'files/big'), 'x'.repeat(200_000));
}
