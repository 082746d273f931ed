import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './programs.js';
import type { RunningProgram } from './run-program.js';

/** Shippers of the test, with all files in its folder. */

export function runSyslogNg(folder: string, configuration: string): RunningProgram {
  writeFileSync(join(folder, 'syslog-ng.conf'), `@version: 3.38\n@include "scl.conf"\n${configuration}\n`);
  const path = (name: string) => join(folder, name);
  const places = ['-f', path('syslog-ng.conf'), '-R', path('persist'), '-p', path('pid'), '-c', path('ctl')];
  return run('syslog-ng', ['-F', '--no-caps', ...places]);
}

/** Debian's rsyslog and syslog-ng can not be installed together, so rsyslog may be unpacked in a folder. */
const rsyslogRoot = process.env.RSYSLOG_ROOT ?? '';
export const hasRsyslog = existsSync(`${rsyslogRoot}/usr/sbin/rsyslogd`);

export function runRsyslog(folder: string, configuration: string): RunningProgram {
  const libraries = `${rsyslogRoot}/usr/lib/x86_64-linux-gnu`;
  writeFileSync(join(folder, 'rsyslog.conf'), `global(workDirectory="${folder}")\n${configuration}\n`);
  const places = [
    '-f',
    join(folder, 'rsyslog.conf'),
    '-i',
    join(folder, 'pid'),
    '-M',
    `${libraries}/rsyslog/`,
  ];
  const environment = rsyslogRoot === '' ? undefined : { LD_LIBRARY_PATH: libraries };
  return run(`${rsyslogRoot}/usr/sbin/rsyslogd`, ['-n', ...places], environment);
}

/** The commands that are not installed. */
export function missingOf(commands: readonly string[]): string[] {
  return commands.filter((command) => spawnSync('sh', ['-c', `command -v ${command}`]).status !== 0);
}
