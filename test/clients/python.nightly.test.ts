import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { named } from '../contract/described.js';
import { type ClientProgram, run, startClientProgram } from './client-program.js';
import { type Instance, startInstance } from './instance.js';

/** The Python client that openapi-python-client generates from the document calls every operation. */

const FOLDER = join(process.cwd(), 'test/clients/python');
const SETUP_MS = 600_000;

let instance: Instance;
let folder: string;
let client: ClientProgram;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loglane-python-'));
  const programs = join(await environment(), 'bin');
  instance = await startInstance();
  copyFileSync(join(FOLDER, 'call.py'), join(folder, 'call.py'));
  writeFileSync(join(folder, 'openapi.json'), instance.document);
  const words = ['generate', '--path', 'openapi.json', '--meta', 'none', '--output-path', 'loglane_client'];
  const strict = ['--fail-on-warning', '--config', join(FOLDER, 'generator.yaml')];
  await run(join(programs, 'openapi-python-client'), [...words, ...strict], folder);
  client = startClientProgram(instance, join(programs, 'python'), ['call.py'], folder);
}, SETUP_MS);
afterAll(async () => {
  client?.stop();
  await instance?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** @returns the folder of the installed requirements, one for each version of their list. */
async function environment(): Promise<string> {
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

describe.each(named)('%s', (_id, one) => {
  it('is answered to the Python client', () => client.check(one));
});
