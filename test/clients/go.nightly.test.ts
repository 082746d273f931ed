import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { named } from '../contract/described.js';
import { type ClientProgram, isInstalled, run, runLines, startClientProgram } from './client-program.js';
import { blockFor, blockOf } from './guide.js';
import { type Instance, startInstance } from './instance.js';

/** The Go client that oapi-codegen generates from the document calls every operation. */

const SETUP_MS = 900_000;

let instance: Instance;
let folder: string;
let client: ClientProgram;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loglane-go-'));
  cpSync('test/clients/go', folder, { recursive: true });
  instance = await startInstance();
  await runLines(blockFor(instance.url, 'Go', 'sh', 'generate'), folder);
  await run('go', ['build', '-o', 'calls', '.'], folder);
  client = startClientProgram(instance, join(folder, 'calls'), [], folder);
}, SETUP_MS);
afterAll(async () => {
  client?.stop();
  await instance?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(!isInstalled('go', ['version']))('the Go client', () => {
  describe.each(named)('%s', (_id, one) => {
    it('is answered, with every field in its type', () => client.check(one));
  });

  it('runs the example of the guide, with the versions that the guide names', async () => {
    mkdirSync(join(folder, 'example'));
    writeFileSync(join(folder, 'example/main.go'), blockFor(instance.url, 'Go', 'go'));
    const printed = await run('go', ['run', './example'], folder, { LOGLANE_KEY: instance.key });
    expect(Number(printed)).toBeGreaterThan(0);
    const required = readFileSync(join(folder, 'go.mod'), 'utf8');
    for (const [, name, version] of blockOf('Go', 'sh', 'go get').matchAll(/(\S+)@(\S+)/g))
      expect(required).toContain(`${name!.replace('/cmd/oapi-codegen', '')} ${version}`);
  });
});
