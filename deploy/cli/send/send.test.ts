import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { appendFile, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { endWithThisProcess } from '../../../test/harness/end-with-this-process.js';
import { startLocalServer } from '../../../test/harness/local-server.js';
import { build } from '../../build/build.mjs';

/** `loglane send` as a process that is killed, over rotations: each line arrives once. */

let folder: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  expect(await build(process.cwd())).toBe(true);
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loglane-send-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** Ingest: it counts an upload of a known name once, and may be slow, busy or cut the connection. */
async function startIngest({
  delay = () => 0,
  refusals = 0,
}: {
  delay?: () => number;
  refusals?: number;
} = {}) {
  const names = new Set<string>();
  const lines: string[] = [];
  let requests = 0;
  const { port } = await startLocalServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      requests++;
      if (requests <= refusals)
        return response.writeHead(503, { 'retry-after': '0' }).end('{"detail":"Busy."}');
      const text = gunzipSync(Buffer.concat(chunks)).toString();
      const name = String(request.headers['idempotency-key']);
      const sent = text.split('\n').filter((line) => line !== '');
      if (!names.has(name)) lines.push(...sent);
      names.add(name);
      // The upload is taken; a sender that is killed now does not know.
      await sleep(delay());
      response.end(JSON.stringify({ accepted: sent.length, rejected: 0, skipped: 0, errors: [] }));
    });
  });
  return { lines, url: `http://127.0.0.1:${port}/v1/logs`, requests: () => requests };
}

function start(url: string, words: readonly string[]) {
  const child = spawn(
    process.execPath,
    ['dist/deploy/cli/loglane.mjs', 'send', '--url', url, '--key', 'll_x', ...words],
    {
      env: { PATH: process.env.PATH, HOME: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  children.push(child);
  endWithThisProcess(child);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const gone = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout, stderr })),
  );
  return { child, gone };
}

const log = () => join(folder, 'access.log');
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `line ${from + at}`);
const write = (from: number, to: number) =>
  appendFile(
    log(),
    numbered(from, to)
      .map((line) => `${line}\n`)
      .join(''),
  );
/** As logrotate: each older file gets the next number. */
async function rotate() {
  for (let number = 9; number > 0; number--)
    await rename(`${log()}.${number}`, `${log()}.${number + 1}`).catch(() => undefined);
  await rename(log(), `${log()}.1`);
}
/** Files of a sender's memory, without those that are being written. */
function states(): string[] {
  const parent = join(folder, '.local/state/loglane/send');
  return existsSync(parent) ? readdirSync(parent).filter((name) => name.endsWith('.json')) : [];
}
const inOrder = (lines: readonly string[]) =>
  [...lines].sort((one, other) => Number(one.slice(5)) - Number(other.slice(5)));

it('sends a file once, waits out a busy ingest, and says what was accepted', async () => {
  const { lines, url } = await startIngest({ refusals: 1 });
  await writeFile(log(), 'line 0\nline 1');
  const { code, stdout, stderr } = await start(url, [log()]).gone;
  expect([code, lines]).toEqual([0, ['line 0', 'line 1']]);
  expect(JSON.parse(stdout).files[0]).toMatchObject({ accepted: 2, rejected: 0, uploads: 1 });
  expect(stderr).toContain('waiting');
  expect(await start(url, [log()]).gone).toMatchObject({ code: 2, stdout: '' });
  await write(2, 4);
  await start(url, [log(), '--resume']).gone;
  expect(lines).toHaveLength(4);
});

it('follows a file over a rotation, and keeps the lines that are still written to the old one', async () => {
  const { lines, url } = await startIngest();
  await write(0, 3);
  const { child, gone } = start(url, [log(), '--follow']);
  await vi.waitFor(() => expect(lines).toHaveLength(3), 20_000);
  await rename(log(), `${log()}.1`);
  await writeFile(log(), '');
  await appendFile(`${log()}.1`, 'line 3\n');
  await write(4, 6);
  await vi.waitFor(() => expect(inOrder(lines)).toEqual(numbered(0, 6)), 20_000);
  await truncate(log());
  await sleep(700);
  await write(6, 8);
  await vi.waitFor(() => expect(inOrder(lines)).toEqual(numbered(0, 8)), 20_000);
  child.kill('SIGTERM');
  expect(await gone).toMatchObject({ code: 0 });
});

it('killed again and again while the file grows and rotates, it loses and doubles nothing', async () => {
  const { lines, url } = await startIngest({ delay: () => Math.random() * 400 });
  let written = 0;
  const grow = async (count: number) => {
    await write(written, written + count);
    written += count;
  };
  await grow(10);
  for (let round = 0; round < 6; round++) {
    const { child, gone } = start(url, [log(), '--follow', '--resume']);
    // A sender that was killed before it opened its first file has never seen it: the start of a process takes seconds on a busy machine.
    if (round === 0) await vi.waitFor(() => expect(states()).toHaveLength(1), 60_000);
    const until = Date.now() + 400 + Math.random() * 900;
    while (Date.now() < until) {
      await grow(7);
      await sleep(40);
    }
    child.kill('SIGKILL');
    await gone;
    await grow(5);
    // Some rotations happen while nobody watches, two of them at once.
    for (let rotations = 0; rotations < round % 3; rotations++) {
      await rotate();
      await sleep(20);
      await grow(4);
    }
  }
  const { child, gone } = start(url, [log(), '--follow', '--resume']);
  await vi.waitFor(() => expect(lines.length).toBeGreaterThanOrEqual(written), 60_000);
  await sleep(1_500);
  child.kill('SIGTERM');
  await gone;
  expect(inOrder(lines)).toEqual(numbered(0, written));
});

it('sends files that were rotated after the last one, also where that one is deleted', async () => {
  const { lines, url } = await startIngest();
  await write(0, 2);
  await start(url, [log()]).gone;
  for (const from of [2, 4]) {
    await sleep(20);
    await rotate();
    await write(from, from + 2);
  }
  await rm(`${log()}.2`);
  const { code, stderr } = await start(url, [log(), '--resume']).gone;
  expect([code, lines]).toEqual([0, numbered(0, 6)]);
  expect(stderr).toContain('is gone');
});

it('sends a file that it opened and that was rotated before its first line was sent', async () => {
  const { lines, url } = await startIngest();
  await writeFile(log(), '');
  const { child, gone } = start(url, [log(), '--follow']);
  await vi.waitFor(() => expect(states()).toHaveLength(1), 60_000);
  child.kill('SIGKILL');
  await gone;
  await write(0, 2);
  await sleep(20);
  await rotate();
  await write(2, 4);
  expect(await start(url, [log(), '--resume']).gone).toMatchObject({ code: 0, stderr: '' });
  expect(lines).toEqual(numbered(0, 4));
});

it('knows a rotated file under another name, and the files after it', async () => {
  const { lines, url } = await startIngest();
  await write(0, 2);
  await start(url, [log()]).gone;
  await write(2, 4);
  await rename(log(), join(folder, 'access-20261127.log'));
  await sleep(20);
  await write(4, 6);
  await rename(log(), join(folder, 'access-20261128.log'));
  await writeFile(join(folder, 'access-admin.log'), 'of another log\n');
  await write(6, 8);
  expect(await start(url, [log(), '--resume']).gone).toMatchObject({ code: 0, stderr: '' });
  expect(lines).toEqual(numbered(0, 8));
});

it('counts equal lines of a later file with the inode of an earlier one', async () => {
  const { lines, url } = await startIngest();
  await writeFile(log(), 'same\n');
  await start(url, [log()]).gone;
  await rotate();
  await writeFile(log(), 'other\n');
  await start(url, [log(), '--resume']).gone;
  await rename(log(), `${log()}.2`);
  await truncate(`${log()}.1`);
  await appendFile(`${log()}.1`, 'same\n');
  await rename(`${log()}.1`, log());
  await start(url, [log(), '--resume']).gone;
  expect(lines).toEqual(['same', 'other', 'same']);
  await start(url, [log(), '--from-start']).gone;
  expect(lines).toEqual(['same', 'other', 'same', 'same']);
});

it('sends files that were rotated meanwhile, where the newest file has the inode of the sent one', async () => {
  const { lines, url } = await startIngest();
  await write(0, 2);
  await start(url, [log()]).gone;
  await sleep(20);
  await writeFile(`${log()}.2`, 'line 0\nline 1\n');
  await writeFile(`${log()}.1`, 'line 2\nline 3\n');
  await truncate(log());
  await write(4, 6);
  const { code } = await start(url, [log(), '--resume']).gone;
  expect([code, lines]).toEqual([0, numbered(0, 6)]);
});

it('refuses compressed files, and ends when ingest refuses the key', async () => {
  await writeFile(log(), gzipSync('line 0\n'));
  expect(await start('http://127.0.0.1:1', [log()]).gone).toMatchObject({ code: 2 });
  const { port } = await startLocalServer((_, response) => response.writeHead(401).end('{"detail":"No."}'));
  await writeFile(log(), 'line 0\n');
  expect(await start(`http://127.0.0.1:${port}/`, [log(), '--follow']).gone).toMatchObject({ code: 4 });
});
