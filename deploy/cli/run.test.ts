import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answering, runCommandLine } from '../../test/harness/command-line.js';

/** Settings, errors and exit codes. */

const access = { LOGLANE_URL: 'http://loglane.test', LOGLANE_KEY: 'llapi_variable' };
const SETUP = ['setup', 'get'];

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'loglane-home-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const websites = { websites: [{ id: 'w1', domain: 'example.com' }], count: 1 };
const twoWebsites = {
  websites: [...websites.websites, { id: 'w2', domain: 'other.example' }],
  count: 2,
};
const settingsFile = () => join(home, '.config/loglane/config.json');
const stored = async () => JSON.parse(await readFile(settingsFile(), 'utf8'));

/** Runs with the home folder, and an instance that has these websites. */
async function at(
  words: readonly string[],
  options: { env?: Record<string, string>; stdin?: string; known?: unknown } = {},
) {
  const { fetch, calls } = answering(({ url }) =>
    Response.json(url.pathname.endsWith('/websites') ? (options.known ?? websites) : { receiving: true }),
  );
  const result = await runCommandLine(words, {
    env: { HOME: home, ...options.env },
    fetch,
    ...(options.stdin !== undefined && { stdin: options.stdin }),
  });
  return { ...result, calls };
}

const login = (known?: unknown) =>
  at(['login', '--url', 'https://loglane.example/', '--key', '-'], { stdin: 'llapi_secret\n', known });

describe('settings', () => {
  it('login checks the key, and stores it in a file that only its owner can read', async () => {
    const { code, calls, stdout, stderr } = await login();
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).not.toContain('llapi_secret');
    expect(calls[0]!.headers.get('authorization')).toBe('Bearer llapi_secret');
    expect(await stored()).toEqual({ url: 'https://loglane.example', key: 'llapi_secret', website: 'w1' });
    expect((await stat(settingsFile())).mode & 0o777).toBe(0o600);
    expect((await stat(join(home, '.config/loglane'))).mode & 0o777).toBe(0o700);
  });

  it('a key that the instance refuses is not stored', async () => {
    const { fetch } = answering(() => Response.json({ detail: 'Invalid API key.' }, { status: 401 }));
    const words = ['login', '--url', 'https://loglane.example', '--key', '-'];
    const { code } = await runCommandLine(words, { env: { HOME: home }, stdin: 'llapi_wrong', fetch });
    expect(code).toBe(4);
    await expect(stat(settingsFile())).rejects.toThrow('ENOENT');
  });

  it('the file serves later commands, and a variable comes before it', async () => {
    await login();
    const { calls } = await at(SETUP);
    expect(calls[0]!.url.href).toBe('https://loglane.example/public/v1/websites/w1/setup');
    expect(calls[0]!.headers.get('authorization')).toBe('Bearer llapi_secret');
    const other = await at(SETUP, { env: { LOGLANE_KEY: 'llapi_other', LOGLANE_WEBSITE: 'w9' } });
    expect(other.calls[0]!.url.pathname).toContain('/w9/');
    expect(other.calls[0]!.headers.get('authorization')).toBe('Bearer llapi_other');
    const flag = await at([...SETUP, '--website', 'w7'], { env: { LOGLANE_WEBSITE: 'w9' } });
    expect(flag.calls[0]!.url.pathname).toContain('/w7/');
  });

  it('the key of the file never goes to the instance of a variable', async () => {
    await login();
    const { code, calls, stderr } = await at(SETUP, { env: { LOGLANE_URL: 'https://elsewhere.example' } });
    expect([code, calls]).toEqual([4, []]);
    expect(stderr).toContain('loglane login');
  });

  it('use stores a website by its domain; logout deletes all', async () => {
    await login(twoWebsites);
    expect(await stored()).not.toHaveProperty('website');
    expect(await at(SETUP, { known: twoWebsites })).toMatchObject({ code: 2 });
    await at(['use', 'other.example'], { known: twoWebsites });
    expect(await stored()).toMatchObject({ website: 'w2', key: 'llapi_secret' });
    expect(await at(['use', 'no.example'])).toMatchObject({ code: 3 });
    await at(['logout']);
    await expect(stat(settingsFile())).rejects.toThrow('ENOENT');
  });

  it('whoami shows no whole key', async () => {
    await login();
    const { stdout } = await at(['whoami']);
    expect(JSON.parse(stdout)).toMatchObject({
      url: 'https://loglane.example',
      key_from: 'file',
      website: 'w1',
    });
    expect(stdout).not.toContain('llapi_secret');
  });

  it('XDG_CONFIG_HOME comes before ~/.config, and a damaged file is named', async () => {
    const env = { XDG_CONFIG_HOME: join(home, 'xdg') };
    await at(['login', '--url', 'https://loglane.example'], { stdin: 'llapi_secret', env });
    const path = join(home, 'xdg/loglane/config.json');
    await writeFile(path, '{');
    const { code, stderr } = await at(SETUP, { env });
    expect(code).toBe(1);
    expect(stderr).toContain(path);
  });
});

describe('errors', () => {
  const answered = (status: number, headers = {}, body: object = { detail: 'No.' }) =>
    answering(() => Response.json(body, { status, headers })).fetch;

  it.each([
    [400, 2, false],
    [401, 4, false],
    [403, 4, false],
    [404, 3, false],
    [409, 1, false],
    [429, 5, true],
    [500, 6, false],
    [503, 6, true],
  ])('a status %i ends with code %i', async (status, exit, retryable) => {
    const words = [...SETUP, '--website', 'w1', '--json'];
    const { code, stdout, stderr } = await runCommandLine(words, { env: access, fetch: answered(status) });
    expect([code, stdout]).toEqual([exit, '']);
    expect(JSON.parse(stderr)).toEqual({ detail: 'No.', status, error: 'No.', exit_code: exit, retryable });
  });

  it('a limit names the time to wait', async () => {
    const fetch = answered(429, { 'retry-after': '90' }, { detail: 'Limit reached.', limit: 2_000 });
    const { stderr } = await runCommandLine([...SETUP, '--website', 'w1'], { env: access, fetch });
    expect(stderr).toBe('loglane: Limit reached. (try again in 90 s)\n');
  });

  it('as JSON have the whole answer, and no character that a terminal would run or hide', async () => {
    const body = { detail: 'no \u009b2J\u202epath', '\u{e0041}field': '\u200bx' };
    const words = [...SETUP, '--website', 'w1', '--json'];
    const { stderr } = await runCommandLine(words, { env: access, fetch: answered(404, {}, body) });
    expect(stderr).not.toMatch(/[\u0080-\u009f\u200b\u202e]|\u{e0041}/u);
    expect(JSON.parse(stderr)).toMatchObject({ ...body, error: 'no path' });
  });

  it('a redirect is not followed, and names the other address', async () => {
    const { fetch, calls } = answering(
      () => new Response(null, { status: 307, headers: { location: 'https://other.example/x' } }),
    );
    for (const words of [[...SETUP, '--website', 'w1'], ['overview']]) {
      const { code, stderr } = await runCommandLine(words, { env: access, fetch });
      expect([code, stderr]).toEqual([1, expect.stringContaining('a redirect to https://other.example/x')]);
    }
    expect(calls.map(({ redirect }) => redirect)).toEqual(['manual', 'manual']);
  });

  it.each([
    ['{"a', 'the answer is no JSON'],
    ['x'.repeat(65 * 1024 ** 2), 'the answer has more than 67108864 bytes'],
  ])('an answer that is none of the API is an error of the server', async (body, message) => {
    const headers = { 'content-type': 'application/json' };
    const { fetch } = answering(() => new Response(body, { headers }));
    const { code, stderr } = await runCommandLine([...SETUP, '--website', 'w1'], { env: access, fetch });
    expect([code, stderr]).toEqual([6, `loglane: ${message}\n`]);
  });

  it('an instance that is not there is tried three times', async () => {
    let tries = 0;
    const fetch = async () => {
      tries++;
      throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
    };
    const { code, stderr } = await runCommandLine([...SETUP, '--website', 'w1'], { env: access, fetch });
    expect([code, tries]).toEqual([6, 3]);
    expect(stderr).toBe("loglane: loglane.test can't be reached (ECONNREFUSED)\n");
  });

  it.each([
    [['no-such-command'], "unknown command 'no-such-command'"],
    [['traffic', 'pathz'], "unknown command 'pathz'"],
    [['urls', 'list'], "unknown command 'list'; urls has page-importance, get, search"],
    [['traffic', 'paths', '--no-such-flag'], "unknown option '--no-such-flag'"],
    [['traffic', 'paths', '--limit', 'many'], 'must be a whole number'],
    [['traffic', 'paths', '--period', 'soon', '--website', 'w1'], 'expected 24h'],
    [['requests', 'ip'], "missing required argument 'ip-address'"],
    [['traffic', 'paths', '--status-category', '6xx'], 'Allowed choices are 1xx'],
  ])('%j is a usage error of one line', async (words, text) => {
    const { code, stdout, stderr } = await runCommandLine(words, { env: access });
    expect([code, stdout, stderr.split('\n').length]).toEqual([2, '', 2]);
    expect(stderr).toContain(text);
    const asJson = await runCommandLine(words, { env: { ...access, CODEX_SANDBOX: '1' } });
    expect(JSON.parse(asJson.stderr)).toMatchObject({ exit_code: 2, retryable: false });
  });

  it('no settings at all: code 4, and how to sign in', async () => {
    const { code, stderr } = await runCommandLine(SETUP, {});
    expect(code).toBe(4);
    expect(stderr).toContain('loglane login');
  });

  it('help is no error, and data alone is on standard output', async () => {
    const { code, stdout, stderr } = await runCommandLine(['traffic', 'paths', '--help'], {});
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Requests by path');
    expect(await runCommandLine([], {})).toMatchObject({ code: 0, stderr: '' });
    expect((await runCommandLine(['traffic'], {})).code).toBe(2);
  });
});

describe('api', () => {
  it('calls any path below /public/v1, with the website filled in', async () => {
    const { fetch, calls } = answering(() => Response.json({ ok: true }));
    const env = { ...access, LOGLANE_WEBSITE: 'w1' };
    await runCommandLine(['api', 'get', '/websites/{website_id}/summary?hours=48', '-f', 'bot=Googlebot'], {
      env,
      fetch,
    });
    expect(calls[0]!.url.href).toBe(
      'http://loglane.test/public/v1/websites/w1/summary?hours=48&bot=Googlebot',
    );
    await runCommandLine(['api', 'POST', '/public/v1/websites', '-f', 'domain=a.example', '-f', 'n=5'], {
      env,
      fetch,
    });
    expect([calls[1]!.method, JSON.parse(calls[1]!.body)]).toEqual(['POST', { domain: 'a.example', n: 5 }]);
  });

  it.each(['https://elsewhere.example/', '//elsewhere.example/', 'websites'])(
    'sends no key to %s',
    async (path) => {
      expect(await runCommandLine(['api', 'GET', path], { env: access })).toMatchObject({ code: 2 });
    },
  );
});
