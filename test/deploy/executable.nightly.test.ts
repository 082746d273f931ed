import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiService } from '../../services/api/api-service.js';
import { createTestApi, type TestApi, untouchedStore } from '../harness/api.js';
import { startTestService } from '../harness/api-service.js';
import { endWithThisProcess } from '../harness/end-with-this-process.js';

/** The single executable, in a folder without Node and packages, against a running API. */

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const executable = resolve('dist/executable/loglane');
/** Without this package, `npm run build:executable` says how to get it. */
const canBuild = existsSync('node_modules/postject');

describe.skipIf(!canBuild)('the single executable (skipped without the package postject)', () => {
  let test: TestApi;
  let service: ApiService;
  let folder: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'loglane-executable-'));
    await promisify(execFile)('npm', ['run', 'build:executable']);
    test = await createTestApi({ reader: untouchedStore });
    service = await startTestService(test);
    env = {
      ...{ PATH: folder, HOME: folder },
      ...{ LOGLANE_URL: `http://127.0.0.1:${service.port}`, LOGLANE_KEY: test.keys.read },
    };
  });
  afterAll(async () => {
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (...words: string[]) => promisify(execFile)(executable, words, { env, cwd: folder });

  it('prints its version and its help', async () => {
    expect(await run('--version')).toEqual({ stdout: `${version}\n`, stderr: '' });
    const { stdout } = await run('traffic', 'paths', '--help');
    expect(stdout).toContain('GET /public/v1/websites/{website_id}/paths');
  });

  it('reads from an instance', async () => {
    const { stdout } = await run('api', 'GET', '/websites');
    expect(JSON.parse(stdout).websites).toMatchObject([{ id: test.website.id }]);
  });

  it('ends with its exit codes', async () => {
    await expect(run('no-such-command')).rejects.toMatchObject({ code: 2 });
    await expect(run('demo')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the demo is a part of the server'),
    });
  });

  it('serves MCP on standard input and output', async () => {
    const child = spawn(executable, ['mcp'], { env, cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
    endWithThisProcess(child);
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const ask = async (id: number, method: string, params: object) => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      const { value } = await answers.next();
      return JSON.parse(String(value));
    };
    const clientInfo = { name: 'test', version: '1' };
    const opened = await ask(1, 'initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo,
    });
    expect(opened).toMatchObject({ id: 1, result: { serverInfo: { name: 'loglane' } } });
    const called = await ask(2, 'tools/call', { name: 'list_websites', arguments: {} });
    expect(called.result.structuredContent.rows[0]).toContain(test.website.id);
    child.stdin.end();
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(code).toBe(0);
  });
});
