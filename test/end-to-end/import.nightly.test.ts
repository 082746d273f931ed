import { spawn } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtCommandLine } from '../harness/built-command-line.js';
import { endWithThisProcess } from '../harness/end-with-this-process.js';
import { freePort } from '../harness/free-port.js';
import { storeZstd } from '../harness/ingest/zstd.js';
import { type Standalone, startStandalone } from '../harness/standalone.js';
import { untilDrained } from '../harness/stream-until-gone.js';

const LINES = 60_000;
/** The import has four parts. */
const KILLED_AT_PARTS = [0, 1, 2];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

let folder: string;
let program: Standalone;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loglane-import-'));
  program = await startStandalone({
    dataDir: join(folder, 'data'),
    apiPort: await freePort(),
    ingestPort: await freePort(),
  });
});
afterAll(async () => {
  await program?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Lines of the last hour, each with its own path. */
function linesOf(from: number, to: number): string {
  const at = new Date(Date.now() - 3_600_000).toISOString();
  const time = `${at.slice(8, 10)}/${MONTHS[Number(at.slice(5, 7)) - 1]}/${at.slice(0, 4)}:${at.slice(11, 19)} +0000`;
  const agent = `Mozilla/5.0 (X11; Linux x86_64) ${'x'.repeat(400)}`;
  let text = '';
  for (let line = from; line < to; line++)
    text += `198.51.100.7 - - [${time}] "GET /import/${line} HTTP/1.1" 200 512 "-" "${agent}"\n`;
  return text;
}

const ledgerPath = () => join(folder, 'data/imports.ndjson');
const partsInLedger = async () =>
  (await readFile(ledgerPath(), 'utf8').catch(() => '')).split('\n').filter((line) => line !== '').length;

/** @param kill resolves when the import is to be killed; default: never */
async function runImport(
  file: string,
  kill?: () => Promise<void>,
): Promise<{ code: number | null; output: string }> {
  return runCommand([await builtCommandLine(), 'import', file], kill);
}

/** Runs `loglane`, or a command of `npm run admin`. */
async function runCommand(
  words: readonly string[],
  kill?: () => Promise<void>,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', ...words], {
    env: { ...process.env, DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithThisProcess(child);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const gone = new Promise<number | null>((resolve) => child.once('close', resolve));
  await Promise.race([gone, kill?.() ?? gone]);
  child.kill('SIGKILL');
  return { code: await gone, output };
}

async function totalRequests(): Promise<number> {
  const summary = (await program.get('/summary?hours=48')) as unknown as { total_requests: number };
  return summary.total_requests;
}

describe('loglane import', () => {
  test('killed repeatedly in its middle imports every line once, and then nothing more', {
    timeout: 300_000,
  }, async () => {
    const file = join(folder, 'access.log');
    const content = linesOf(0, LINES);
    await writeFile(file, content);
    let kills = 0;
    for (const parts of KILLED_AT_PARTS) {
      const { code } = await runImport(file, async () => {
        while ((await partsInLedger()) < parts) await sleep(5);
        await sleep(Math.random() * 400);
      });
      if (code === null) kills++;
    }
    expect(kills).toBeGreaterThan(1);
    const whole = await runImport(file);
    expect(whole).toMatchObject({ code: 0 });
    await untilDrained(program, LINES);
    expect(await totalRequests()).toBe(LINES);

    const entries = await partsInLedger();
    const packed = await promisify(gzip)(content, { level: 1 });
    await writeFile(join(folder, 'access.log.1.gz'), packed);
    await writeFile(join(folder, 'other-name.zst'), storeZstd(Buffer.from(content)));
    for (const again of [file, join(folder, 'access.log.1.gz'), join(folder, 'other-name.zst')]) {
      const { code, output } = await runImport(again);
      expect({ code, output }).toMatchObject({
        code: 0,
        output: expect.stringContaining('nothing was sent'),
      });
    }
    expect(await partsInLedger()).toBe(entries);

    await appendFile(file, linesOf(LINES, LINES + 10));
    expect((await runImport(file)).output).toMatch(/60,000 of them imported before, accepted 10,/);
    await untilDrained(program, LINES + 10);
    expect(await totalRequests()).toBe(LINES + 10);

    // The wrong rows are removed and imported again, as the command says.
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    const { website_id } = program.credentials;
    const days = ['--website', website_id, '--day', day(1), '--to', day(0)];
    const forgotten = await runCommand(['deploy/admin/main.ts', 'forget', ...days, '--yes']);
    expect(forgotten).toMatchObject({ code: 0 });
    expect(await totalRequests()).toBe(0);
    const [, ...said] = /npx loglane import (--generation) (\S+) FILE/.exec(forgotten.output)!;
    const anew = await runCommand([await builtCommandLine(), 'import', ...said, file]);
    expect(anew).toMatchObject({ code: 0 });
    await untilDrained(program, LINES + 10);
    expect(await totalRequests()).toBe(LINES + 10);
  });
});
