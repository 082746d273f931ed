import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { builtCommandLine } from '../harness/built-command-line.js';
import { endWithThisProcess } from '../harness/end-with-this-process.js';
import { freePort } from '../harness/free-port.js';
import { type Standalone, startStandalone } from '../harness/standalone.js';

/** The built command line against a whole instance. */

let folder: string;
let program: Standalone;
let loglane: string;
let env: Record<string, string>;
const children: ChildProcess[] = [];

beforeAll(async () => {
  loglane = await builtCommandLine();
  folder = await mkdtemp(join(tmpdir(), 'loglane-command-line-'));
  const dataDir = join(folder, 'data');
  program = await startStandalone({ dataDir, apiPort: await freePort(), ingestPort: await freePort() });
  const { base_url, api_key, website_id } = program.credentials;
  env = {
    ...{ PATH: process.env.PATH!, HOME: folder, DATA_DIR: dataDir },
    ...{ LOGLANE_URL: base_url, LOGLANE_KEY: api_key, LOGLANE_WEBSITE: website_id },
  };
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await program?.stop();
  await rm(folder, { recursive: true, force: true });
});

const run = async (...words: string[]) => (await promisify(execFile)(loglane, words, { env })).stdout;

/** A running command and the lines of its output, each with the time of its arrival. */
function start(...words: string[]) {
  const child = spawn(loglane, words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  endWithThisProcess(child);
  const lines: { readonly at: number; readonly text: string }[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const whole = `${rest}${text}`.split('\n');
    rest = whole.pop()!;
    lines.push(...whole.map((line) => ({ at: performance.now(), text: line })));
  });
  const gone = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, lines, gone };
}

function logLine(
  path: string,
  status: number,
  agent = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
): string {
  const [, month, day, year, time] = /^\w+, (\d+) (\w+) (\d+) (\S+)/
    .exec(new Date().toUTCString())!
    .map((part, at, parts) => (at === 1 ? parts[2]! : at === 2 ? parts[1]! : part));
  return `198.51.100.7 - - [${day}/${month}/${year}:${time} +0000] "GET ${path} HTTP/1.1" ${status} 512 "-" "${agent}"\n`;
}

async function upload(text: string): Promise<void> {
  const { ingest_url, ingest_key } = program.credentials;
  const response = await fetch(ingest_url, {
    method: 'POST',
    headers: { 'x-api-key': ingest_key },
    body: text,
  });
  expect(response.status).toBe(200);
}

test('tail prints a line within two seconds of its upload, and only those that pass its filters', async () => {
  const tail = start('tail', '--status', '5xx', '--path', '/tail', '--who', 'people');
  // The first poll of an empty website.
  await vi.waitFor(
    async () => expect(await run('requests', 'search', '--hours', '1')).toContain('requests'),
    20_000,
  );
  const delays: number[] = [];
  for (let round = 0; round < 5; round++) {
    await upload(logLine('/other', 503) + logLine(`/tail/${round}`, 200) + logLine(`/tail/${round}`, 503));
    const answered = performance.now();
    const line = await vi.waitUntil(() => tail.lines[round], { timeout: 10_000, interval: 5 });
    expect(JSON.parse(line.text)).toMatchObject({ path: `/tail/${round}`, status: 503 });
    delays.push(line.at - answered);
  }
  // Other suites may delay a line.
  expect(Math.min(...delays)).toBeLessThan(2_000);
  tail.child.kill('SIGINT');
  expect(await tail.gone).toBe(0);
  expect(tail.lines).toHaveLength(5);
});

test('send follows a file into the analytics, and an operation counts its lines', async () => {
  const log = join(folder, 'access.log');
  await appendFile(log, logLine('/sent', 200));
  const send = start('send', log, '--follow');
  await appendFile(log, logLine('/sent', 200).repeat(4));
  await vi.waitFor(
    async () => {
      const { paths } = JSON.parse(await run('traffic', 'paths', '--hours', '1'));
      expect(paths).toContainEqual(expect.objectContaining({ path: '/sent', requests: 5 }));
    },
    { timeout: 20_000, interval: 300 },
  );
  send.child.kill('SIGTERM');
  expect(await send.gone).toBe(0);
  expect(JSON.parse(send.lines.map(({ text }) => text).join('')).files[0]).toMatchObject({ accepted: 5 });
  expect(
    (await run('traffic', 'paths', '--hours', '1', '--csv', '--fields', 'path,requests')).split('\n'),
  ).toContain('/sent,5');
});
