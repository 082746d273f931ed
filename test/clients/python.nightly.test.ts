import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { named } from '../contract/described.js';
import { type ClientProgram, isInstalled, run, runLines, startClientProgram } from './client-program.js';
import { blockFor, blockOf } from './guide.js';
import { type Instance, startInstance } from './instance.js';

/** The Python client that openapi-python-client generates from the document calls every operation. */

const FOLDER = join(process.cwd(), 'test/clients/python');
const SETUP_MS = 600_000;

let instance: Instance;
let folder: string;
let environment: Record<string, string>;
let client: ClientProgram;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loglane-python-'));
  const programs = join(await installed(), 'bin');
  instance = await startInstance();
  copyFileSync(join(FOLDER, 'call.py'), join(folder, 'call.py'));
  environment = { LOGLANE_KEY: instance.key, PATH: `${programs}:${process.env.PATH}` };
  const generate = blockFor(instance.url, 'Python', 'sh', 'generate');
  await runLines(`${generate.trimEnd()} --fail-on-warning`, folder, environment);
  client = startClientProgram(instance, join(programs, 'python'), ['call.py'], folder);
}, SETUP_MS);
afterAll(async () => {
  client?.stop();
  await instance?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** @returns the folder of the installed requirements, one for each version of their list. */
async function installed(): Promise<string> {
  const requirements = join(FOLDER, 'requirements.txt');
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const place = join(cache, 'loglane', `python-client-${digest}`);
  const complete = join(place, 'complete');
  if (existsSync(complete)) return place;
  await run('python3', ['-m', 'venv', '--clear', place], FOLDER);
  await run(join(place, 'bin', 'pip'), ['install', '--quiet', '-r', requirements], FOLDER);
  writeFileSync(complete, '');
  return place;
}

describe.skipIf(!isInstalled('python3', ['-m', 'venv', '--help']))('the Python client', () => {
  describe.each(named)('%s', (_id, one) => {
    it('is answered, with every field in its type', () => client.check(one));
  });

  it('runs the example of the guide, with the version that the guide names', async () => {
    writeFileSync(join(folder, 'example.py'), blockFor(instance.url, 'Python', 'python'));
    expect(Number(await run('python', ['example.py'], folder, environment))).toBeGreaterThan(0);
    const [generator] = blockOf('Python', 'sh', 'install').match(/openapi-python-client==\S+/)!;
    expect(readFileSync(join(FOLDER, 'requirements.txt'), 'utf8').split('\n')).toContain(generator);
  });
});
