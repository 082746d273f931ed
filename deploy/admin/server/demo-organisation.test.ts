import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ControlPlane } from '../../../shared/control/control-plane.js';
import { findApiKey, findIngestKey } from '../../../shared/control/domain/keys.js';
import { createControlLog } from '../../../test/harness/control-log.js';
import { openTestPlane } from '../../../test/harness/control-plane.js';
import { CREDENTIALS_FILE, type Credentials, ensureDemoOrganisation } from './demo-organisation.js';

let dataDir: string;
let path: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'loglane-demo-'));
  path = join(dataDir, CREDENTIALS_FILE);
});
afterEach(() => rm(dataDir, { recursive: true }));

const ensure = (control: ControlPlane, baseUrl = 'http://127.0.0.1:8080') =>
  ensureDemoOrganisation(control, {
    ...{ dataDir, baseUrl, logger: pino({ level: 'silent' }) },
    ingestUrl: 'http://127.0.0.1:8081/v1/logs',
  });

const readFileBack = async () => JSON.parse(await readFile(path, 'utf8')) as Credentials;

function expectToOpen(control: ControlPlane, { api_key, ingest_key, website_id }: Credentials) {
  const state = control.state();
  const apiKey = findApiKey(state, api_key, Date.now());
  expect(apiKey).toMatchObject({ scope: 'read_write' });
  const website = state.websites.get(website_id);
  expect(website).toMatchObject({ domain: 'example.com', organisationId: apiKey?.organisationId });
  expect(findIngestKey(state, ingest_key)).toMatchObject({ websiteId: website_id });
  expect(state.organisations.get(website!.organisationId)?.planId).toBe('scale');
}

describe('ensureDemoOrganisation', () => {
  test('the first start writes working keys to a file that only its owner can read', async () => {
    const { control } = await openTestPlane();
    const returned = await ensure(control);
    const credentials = await readFileBack();
    expect(returned).toEqual(credentials);
    expect(Object.keys(credentials)).toEqual([
      'base_url',
      'ingest_url',
      'website_id',
      'ingest_key',
      'api_key',
    ]);
    expectToOpen(control, credentials);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('a later start changes nothing', async () => {
    const { control, log } = await openTestPlane();
    await ensure(control);
    const [bytes, written] = [await readFile(path), log.records.length];
    const restarted = await openTestPlane({ log: createControlLog(log.records) });
    await ensure(restarted.control);
    expect(await readFile(path)).toEqual(bytes);
    expect(restarted.log.records).toHaveLength(written);
  });

  test('a change of addresses updates the file, and the keys stay', async () => {
    const { control } = await openTestPlane();
    const before = await ensure(control);
    await ensure(control, 'http://127.0.0.1:9000');
    expect(await readFileBack()).toEqual({ ...before, base_url: 'http://127.0.0.1:9000' });
  });

  test('a start after a crash at any step ends with one organisation, one website and working keys', async () => {
    const whole = await openTestPlane();
    await ensure(whole.control);
    for (let kept = 0; kept <= whole.log.records.length; kept++) {
      await rm(path, { force: true });
      const { control } = await openTestPlane({ log: createControlLog(whole.log.records.slice(0, kept)) });
      await ensure(control);
      expectToOpen(control, await readFileBack());
      expect(control.state().organisations.size).toBe(1);
      expect(control.state().websites.size).toBe(1);
    }
  });

  const foreign = { base_url: '', ingest_url: '', website_id: 'web_other', ingest_key: '', api_key: '' };
  test.each(['', '{', '{}', JSON.stringify(foreign)])(
    'an invalid or foreign file is not changed: %j',
    async (content) => {
      await writeFile(path, content);
      const lost = await openTestPlane();
      await expect(ensure(lost.control)).rejects.toThrow(
        /control log in .* is empty, but .*credentials.json/,
      );
      expect(lost.control.state().organisations.size).toBe(0);
      const other = await openTestPlane();
      await other.control.execute({ type: 'createOrganisation', name: 'Shop' }, 'admin');
      const restarted = await openTestPlane({ log: createControlLog(other.log.records) });
      expect(await ensure(restarted.control)).toBeNull();
      expect(await readFile(path, 'utf8')).toBe(content);
    },
  );

  test('a log that starts with another organisation gets no demo organisation', async () => {
    const { control } = await openTestPlane();
    await control.execute({ type: 'createOrganisation', name: 'Shop' }, 'admin');
    expect(await ensure(control)).toBeNull();
    expect(existsSync(path)).toBe(false);
    expect(control.state().organisations.size).toBe(1);
  });

  test('log lines contain no keys', async () => {
    const { control, logged } = await openTestPlane();
    const credentials = await ensure(control);
    expect(logged()).not.toContain(credentials?.api_key);
    expect(logged()).not.toContain(credentials?.ingest_key);
  });
});
