import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client, createClient } from '../../deploy/cli/package/client.js';
import { type Described, named } from '../contract/described.js';
import { run } from './client-program.js';
import { type ClientCall, type Instance, startInstance } from './instance.js';

/** The client of the npm package calls every operation, and the generated types fit each call and each answer. */

const COMPILER = join(process.cwd(), 'node_modules/typescript-7/bin/tsc');
const FLAGS = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2023,dom'];

let instance: Instance;
let folder: string;
let create: typeof createClient;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loglane-typescript-'));
  const built = join(folder, 'package');
  await run(process.execPath, ['deploy/build/build-package.mjs', built], process.cwd());
  ({ createClient: create } = await import(join(built, 'client.js')));
  instance = await startInstance();
});
afterAll(async () => {
  await instance?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Statements whose types the compiler checks after the calls. */
const statements = new Map<string, string>();

/** The client without its types, which the compiler checks below. */
type Send = (path: string, parameters: object, body?: unknown) => Promise<unknown>;

async function call(one: Described, { key, path, query, body }: ClientCall): Promise<unknown> {
  const client = create({ url: instance.url, key }) as Client<never> as unknown as Record<string, Send>;
  const method = one.method.toLowerCase();
  const values = [{ ...path, ...query }, ...(body === undefined ? [] : [body])];
  const answer = await client[method]!(one.path, values[0]!, values[1]);
  const words = [one.path, ...values].map((value) => JSON.stringify(value));
  statements.set(
    one.id,
    `const ${one.id} = () => api.${method}(${words.join(', ')});
export const answerOf_${one.id}: Literal<Awaited<ReturnType<typeof ${one.id}>>> = ${JSON.stringify(answer)};`,
  );
  return answer;
}

/** A row may have named and other columns, { hour: string } & { [operator: string]: number }: such a type can be read, but no literal fits it. */
const LITERAL = `type Named<T> = { [K in keyof T as string extends K ? never : K]: Literal<T[K]> };
type Literal<T> = T extends readonly (infer Item)[]
  ? Literal<Item>[]
  : T extends object
    ? Named<T> & (string extends keyof T ? { [name: string]: Literal<T[keyof T]> | Named<T>[keyof Named<T>] } : unknown)
    : T;`;

describe.each(named)('%s', (_id, one) => {
  it('is answered to the TypeScript client', async () => {
    expect(await call(one, await instance.callOf(one))).toBeTypeOf('object');
  });
});

it('compiles every call and every answer against the generated types', () => {
  expect(statements.size).toBe(named.length);
  writeFileSync(
    join(folder, 'calls.ts'),
    `import { createClient } from './package/index.js';
const api = createClient({ url: '', key: '' });
${LITERAL}
${[...statements.values()].join('\n')}
`,
  );
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const { stdout } = spawnSync(process.execPath, [COMPILER, ...FLAGS, 'calls.ts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
});
