import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { refreshSpam } from './refresh-spam.js';

let server: Server;
let folder: string;
let file: string;
let body: string | null;

const hosts = (count: number) => Array.from({ length: count }, (_, index) => `s${index}.example`).sort();
const listOf = (names: readonly string[], as_of: string) => ({
  source: `http://127.0.0.1:${(server.address() as AddressInfo).port}/spammers.txt`,
  licence: 'CC0-1.0',
  as_of,
  hosts: names,
});
const refresh = () => refreshSpam({ file, today: '2026-12-01', timeoutMs: 2_000 });
const stored = async () => JSON.parse(await readFile(file, 'utf8'));

beforeEach(async () => {
  server = createServer((_, response) => {
    response.statusCode = body === null ? 503 : 200;
    response.end(body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  folder = await mkdtemp(`${tmpdir()}/loglane-spam-`);
  file = `${folder}/referrer-spam.json`;
  await writeFile(file, JSON.stringify(listOf(hosts(2_000), '2026-08-20')));
});
afterEach(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

test('stores the hosts of the new list with their day', async () => {
  body = ['', ...hosts(2_100).toReversed(), 'S1.example', 'no host', '.'].join('\r\n');
  expect(await refresh()).toMatchObject({ entries: 2_100, problem: null });
  expect(await stored()).toEqual(listOf(hosts(2_100), '2026-12-01'));
});

test.each([
  ['can’t be downloaded', null, /503/],
  ['has shrunk by half', hosts(999).join('\n'), /999 hosts, 2000 before/],
  ['has grown tenfold', hosts(20_001).join('\n'), /20001 hosts, 2000 before/],
  ['is an HTML page', '<html>', /0 hosts/],
])('keeps the last list if the new one %s', async (_name, answer, problem) => {
  body = answer;
  expect(await refresh()).toMatchObject({ entries: null, problem: expect.stringMatching(problem) });
  expect(await stored()).toEqual(listOf(hosts(2_000), '2026-08-20'));
});
