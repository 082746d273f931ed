import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../harness/free-port.js';
import { type Standalone, startStandalone } from '../harness/standalone.js';

const run = promisify(execFile);

interface Customer {
  readonly website: string;
  readonly ingestKey: string;
  readonly readKey: string;
}

const READS = [
  '/setup',
  '/summary',
  '/traffic',
  '/bots',
  '/bots/access',
  '/paths',
  '/geography',
  '/status-codes',
  '/ips',
  '/ips/192.0.2.77/requests',
  '/referrers',
  '/devices',
  '/seo/robots',
  '/live',
  '/requests',
];

let dataDir: string;
let program: Standalone;
let alpha: Customer;
let beta: Customer;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'loglane-tenants-'));
  program = await startStandalone({ dataDir, apiPort: await freePort(), ingestPort: await freePort() });
  alpha = await createCustomer('Alpha', 'alpha.example');
  beta = await createCustomer('Beta', 'beta.example');
  await upload(alpha, 'only-alpha', 7);
  await upload(beta, 'only-beta', 11);
  await untilVisible(alpha, 7);
  await untilVisible(beta, 11);
});
afterAll(async () => {
  await program?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('two organisations on one instance', () => {
  test.each(READS)('%s of each shows only its own rows', async (read) => {
    const own = await get(alpha.readKey, alpha.website, read);
    expect(own.status).toBe(200);
    expect(own.text).not.toContain('only-beta');
    expect((await get(beta.readKey, beta.website, read)).text).not.toContain('only-alpha');
  });

  test.each(READS)('%s of a foreign website answers as if it did not exist', async (read) => {
    const foreign = await get(alpha.readKey, beta.website, read);
    expect(foreign.status).toBe(404);
    expect(foreign.text).toBe((await get(alpha.readKey, 'web_doesnotexist', read)).text);
  });

  test('the list of websites has only its own', async () => {
    const list = await fetch(`${program.credentials.base_url}/public/v1/websites`, bearer(alpha.readKey));
    expect(
      ((await list.json()) as { websites: { domain: string }[] }).websites.map(({ domain }) => domain),
    ).toEqual(['alpha.example']);
  });
});

describe('a key has only the rights of its kind', () => {
  test('a read key cannot write', async () => {
    const response = await fetch(`${program.credentials.base_url}/public/v1/websites`, {
      method: 'POST',
      headers: { ...bearer(alpha.readKey).headers, 'content-type': 'application/json' },
      body: JSON.stringify({ domain: 'more.example' }),
    });
    expect(response.status).toBe(403);
    expect(((await response.json()) as { detail: string }).detail).toMatch(/read-only/);
  });

  test('an ingest key cannot read, and an API key cannot send', async () => {
    expect((await get(alpha.ingestKey, alpha.website, '/summary')).status).toBe(401);
    const sent = await fetch(program.credentials.ingest_url, {
      method: 'POST',
      headers: { 'x-api-key': alpha.readKey },
      body: '{}',
    });
    expect(sent.status).toBe(401);
  });

  test('a revoked key stops working within a second', async () => {
    const made = await admin(['api-keys', 'create', await organisationOf('Alpha')]);
    expect((await get(made.clear_text, alpha.website, '/setup')).status).toBe(200);
    await admin(['api-keys', 'revoke', made.api_key.id]);
    expect((await get(made.clear_text, alpha.website, '/setup')).status).toBe(401);
  });
});

async function admin(words: string[]): Promise<any> {
  const { stdout } = await run(
    process.execPath,
    ['--import', 'tsx', 'deploy/admin/main.ts', ...words, '--json'],
    {
      env: { ...process.env, DATA_DIR: dataDir },
    },
  );
  return JSON.parse(stdout);
}

async function organisationOf(name: string): Promise<string> {
  const organisations = (await admin(['organisations', 'list'])) as { id: string; name: string }[];
  return organisations.find((organisation) => organisation.name === name)?.id ?? '';
}

async function createCustomer(name: string, domain: string): Promise<Customer> {
  const organisation = await admin(['organisations', 'create', name, '--plan', 'unlimited']);
  const website = await admin(['websites', 'create', organisation.id, domain, '--source', 'vector']);
  const key = await admin(['api-keys', 'create', organisation.id]);
  return { website: website.website.id, ingestKey: website.clear_text, readKey: key.clear_text };
}

async function upload(customer: Customer, word: string, lines: number): Promise<void> {
  const body = Array.from({ length: lines }, (_, i) =>
    JSON.stringify({
      timestamp: Date.now() - 1000 * i,
      client_ip: '192.0.2.77',
      method: 'GET',
      path: `/${word}`,
      status: i % 2 ? 200 : 403,
      host: `${word}.example`,
      referrer: `https://${word}.test/`,
      user_agent: i % 2 ? `Mozilla/5.0 ${word}` : `${word}bot/1.0`,
    }),
  ).join('\n');
  const response = await fetch(program.credentials.ingest_url, {
    method: 'POST',
    headers: { 'x-api-key': customer.ingestKey },
    body,
  });
  expect(await response.json()).toMatchObject({ accepted: lines, rejected: 0 });
}

async function untilVisible(customer: Customer, rows: number): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const { text } = await get(customer.readKey, customer.website, '/summary');
    if (JSON.parse(text).total_requests === rows) return;
    await sleep(100);
  }
  throw new Error('the rows did not become visible');
}

async function get(key: string, website: string, read: string): Promise<{ status: number; text: string }> {
  const response = await fetch(
    `${program.credentials.base_url}/public/v1/websites/${website}${read}`,
    bearer(key),
  );
  return { status: response.status, text: await response.text() };
}

function bearer(key: string) {
  return { headers: { authorization: `Bearer ${key}` } };
}
