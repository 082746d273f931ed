import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { ClientOptions } from '../../deploy/cli/package/client.js';
import { blockOf } from '../clients/guide.js';
import { createTestApi } from '../harness/api.js';

/** The npm package, as a user installs it: from its tarball into an empty folder, without network. */

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const compiler = join(process.cwd(), 'node_modules/typescript-7/bin/tsc');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loglane-package-'));
  const user = join(folder, 'user');
  mkdirSync(user);
  execFileSync('npm', ['run', 'build:package', '--', join(folder, 'package')], { stdio: 'pipe' });
  execFileSync('npm', ['pack', '--pack-destination', folder, join(folder, 'package')], { stdio: 'pipe' });
  writeFileSync(join(user, 'package.json'), '{"type":"module","private":true}');
  const tarball = join(folder, `loglane-${version}.tgz`);
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], {
    cwd: user,
    stdio: 'pipe',
  });
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const user = () => join(folder, 'user');

it('runs the command line', () => {
  const { status, stdout } = spawnSync('npx', ['--offline', 'loglane', '--version'], {
    cwd: user(),
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: `${version}\n` });
});

/** Errors of the compiler for a program that uses the client. */
function check(program: string): string {
  writeFileSync(join(user(), 'sample.ts'), program);
  const { stdout } = spawnSync(
    process.execPath,
    [
      compiler,
      '--noEmit',
      '--strict',
      '--target',
      'es2022',
      '--module',
      'nodenext',
      '--lib',
      'es2023,dom',
      'sample.ts',
    ],
    { cwd: user(), encoding: 'utf8' },
  );
  return stdout;
}

const START = `import { createClient } from 'loglane';
const api = createClient({ url: 'https://loglane.example', key: 'k' });
`;
const SUMMARY = '/public/v1/websites/{website_id}/summary';

it('types calls and answers', () => {
  const right = `const { websites } = await api.get('/public/v1/websites');
const id: string = websites[0]!.id;
await api.get('${SUMMARY}', { website_id: id, hours: 24 });
await api.post('/public/v1/websites', {}, { domain: 'shop.example' });`;
  expect(check(`${START}${right}`)).toBe('');
}, 120_000);

it('compiles the example of the guide', () => {
  const ofNode = 'declare const process: { env: Record<string, string | undefined> };\n';
  expect(check(`${ofNode}${blockOf('TypeScript', 'ts')}`)).toBe('');
}, 120_000);

it.each([
  ['a wrong parameter', `await api.get('${SUMMARY}', { website_id: 'w', hour: 24 });`],
  ['a missing parameter', `await api.get('${SUMMARY}', { hours: 24 });`],
  ['an unknown path', `await api.get('/public/v1/website');`],
  ['a wrong body', `await api.post('/public/v1/websites', {}, { domains: 'shop.example' });`],
  ['an unknown field of the answer', `(await api.get('/public/v1/websites')).website;`],
])(
  'refuses %s',
  (_name, call) => {
    expect(check(`${START}${call}`)).toContain('error TS');
  },
  120_000,
);

it('calls the API', async () => {
  const test = await createTestApi({});
  const { createClient, ApiError } = await import(join(user(), 'node_modules/loglane/client.js'));
  const options: ClientOptions = {
    url: 'http://loglane.example/',
    key: test.keys.read,
    fetch: (url, init) => test.api.request(url, init),
  };
  const api = createClient(options);
  const { websites } = await api.get('/public/v1/websites');
  expect(websites.map((each: { id: string }) => each.id)).toContain(test.website.id);
  const refused = api.get(SUMMARY, { website_id: 'none' });
  await expect(refused).rejects.toBeInstanceOf(ApiError);
  await expect(refused).rejects.toMatchObject({ body: { detail: expect.anything() } });
  await expect(api.get(SUMMARY, {})).rejects.toThrow('website_id is missing');
});

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

it('has another name than the package of the server, whose dependencies it does not install', () => {
  const server = read('package.json');
  const manifest = read(join(user(), 'node_modules/loglane/package.json'));
  expect({ server: server.name, client: manifest.name }).toEqual({
    server: 'loglane-server',
    client: 'loglane',
  });
  expect(manifest).not.toHaveProperty('dependencies');
});

it('has its own licence and those of the packages in its bundle', () => {
  const text = (name: string) => readFileSync(join(user(), 'node_modules/loglane', name), 'utf8');
  expect(text('LICENSE')).toContain('Apache License');
  for (const name of ['commander', 'zod', 'zstddec'])
    expect(text('LICENSES-BUNDLED.txt')).toContain(
      `\n${name} ${read(`node_modules/${name}/package.json`).version} `,
    );
});

/** The rules of the MCP registry's schema of 2025-12-11 for the forms used here, and no other field. */
const serverJson = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  description: z.string().min(1).max(100),
  version: z.string().max(255),
  packages: z
    .array(
      z.strictObject({
        registryType: z.literal('npm'),
        identifier: z.string(),
        version: z.string().regex(/^\d+\.\d+\.\d+$/),
        runtimeHint: z.literal('npx'),
        transport: z.strictObject({ type: z.literal('stdio') }),
        packageArguments: z.array(z.strictObject({ type: z.literal('positional'), value: z.string() })),
        environmentVariables: z.array(
          z.strictObject({
            name: z.string().regex(/^LOGLANE_[A-Z]+$/),
            description: z.string(),
            isRequired: z.boolean().optional(),
            isSecret: z.boolean().optional(),
            format: z.enum(['string', 'number', 'boolean', 'filepath']),
          }),
        ),
      }),
    )
    .length(1),
});

it('has a server.json of the same name and version that the MCP registry accepts', () => {
  const server = serverJson.parse(read('deploy/cli/package/server.json'));
  const manifest = read(join(user(), 'node_modules/loglane/package.json'));
  expect(server).toMatchObject({ name: manifest.mcpName, version });
  expect(server.packages).toMatchObject([{ identifier: manifest.name, version }]);
});
