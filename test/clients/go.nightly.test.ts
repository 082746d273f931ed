import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { named } from '../contract/described.js';
import { type ClientProgram, run, startClientProgram } from './client-program.js';
import { type Instance, startInstance } from './instance.js';

/** The Go client that oapi-codegen generates from the document calls every operation. */

const SETUP_MS = 900_000;

let instance: Instance;
let folder: string;
let client: ClientProgram;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loglane-go-'));
  cpSync('test/clients/go', folder, { recursive: true });
  mkdirSync(join(folder, 'client'));
  instance = await startInstance();
  writeFileSync(join(folder, 'openapi.json'), instance.document);
  await run('go', ['tool', 'oapi-codegen', '-config', 'oapi-codegen.yaml', 'openapi.json'], folder);
  await run('go', ['build', '-o', 'calls', '.'], folder);
  client = startClientProgram(instance, join(folder, 'calls'), [], folder);
}, SETUP_MS);
afterAll(async () => {
  client?.stop();
  await instance?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(named)('%s', (_id, one) => {
  it('is answered to the Go client', () => client.check(one));
});
