import { describe, expect, it } from 'vitest';
import { visibleLine } from '../../../shared/visible-text.js';
import { answering, runCommandLine } from '../../../test/harness/command-line.js';
import { safeJson } from './clean-text.js';

/** Standard output has the form that was asked for, and nothing that a terminal executes. */

const env = { LOGLANE_URL: 'http://loglane.test', LOGLANE_KEY: 'llapi_x', LOGLANE_WEBSITE: 'w1' };
const PATHS = ['traffic', 'paths'];
const answer = {
  window: { start: '2026-11-21T00:00:00Z', end: '2026-11-22T00:00:00Z' },
  total_requests: 3,
  paths: [
    { path: '/a', requests: 2, status: { ok: 2 } },
    { path: '/b, "c"', requests: 1, status: { ok: 1 } },
  ],
  data_buffering: false,
};

async function show(words: readonly string[], body: unknown = answer, options = {}) {
  const { fetch, calls } = answering(() => Response.json(body));
  return { ...(await runCommandLine([...PATHS, ...words], { env, fetch, ...options })), calls };
}

describe('the form', () => {
  it('is the answer as JSON where standard output is no terminal', async () => {
    const { stdout, code } = await show([]);
    expect([code, JSON.parse(stdout)]).toEqual([0, answer]);
  });

  it('is a table on a terminal, and JSON there for an agent', async () => {
    const { stdout } = await show(['--no-color'], answer, { isTerminal: true });
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining([
        'total_requests  3',
        'path     requests  status.ok',
        '/a              2          2',
      ]),
    );
    const agent = await show([], answer, { isTerminal: true, env: { ...env, CLAUDECODE: '1' } });
    expect(JSON.parse(agent.stdout)).toEqual(answer);
  });

  it('is rows with chosen fields', async () => {
    const { stdout } = await show(['--json=path,status.ok']);
    expect(JSON.parse(stdout)).toEqual([
      { path: '/a', 'status.ok': 2 },
      { path: '/b, "c"', 'status.ok': 1 },
    ]);
  });

  it.each(['--json', '--ndjson', '--csv', '--table'])(
    'notes chosen fields that no row has, with %s',
    async (form) => {
      const { stderr, code } = await show([form, '--fields', 'path,status.okay']);
      expect([stderr, code]).toEqual(['no row has status.okay; fields: path, requests, status.ok\n', 0]);
    },
  );

  it('is a line for each row', async () => {
    expect((await show(['--ndjson', '--fields', 'path'])).stdout).toBe(
      '{"path":"/a"}\n{"path":"/b, \\"c\\""}\n',
    );
    expect((await show(['--csv'])).stdout).toBe('path,requests,status.ok\n/a,2,2\n"/b, ""c""",1,1\n');
  });

  it('--json does not take the next word', async () => {
    const { fetch } = answering(() => Response.json(answer));
    const { code } = await runCommandLine(['--json', ...PATHS], { env, fetch });
    expect(code).toBe(0);
  });

  it('two forms at once are refused', async () => {
    expect(await show(['--csv', '--ndjson'])).toMatchObject({ code: 2, stdout: '', calls: [] });
  });
});

describe('a hostile log', () => {
  const hostile = {
    paths: [
      {
        path: '\u001b]0;title\u0007/a\u001b[2J\u009b31m\u202eevil\u200b\r\nroot# ',
        agent: '=cmd|calc',
        '\u001b[31mname': '\u001b[0m\t@SUM(A1)',
      },
    ],
  };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be there
  const EXECUTED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u200b-\u200f\u2066-\u2069]/;

  it.each([['--table'], ['--json'], ['--ndjson'], ['--csv']])(
    'executes nothing and hides nothing with %s',
    async (form) => {
      const { stdout } = await show([form, '--no-color'], hostile, { isTerminal: true });
      expect(stdout).not.toMatch(EXECUTED);
      expect(stdout).toContain('evil');
    },
  );

  it('keeps its values in JSON', async () => {
    expect(JSON.parse((await show([], hostile)).stdout)).toEqual(hostile);
    expect(JSON.parse(safeJson('\u{e0041}\u2028\u009b'))).toBe('\u{e0041}\u2028\u009b');
  });

  it('becomes no formula of a spreadsheet', async () => {
    const { stdout } = await show(['--csv'], hostile);
    expect(stdout).toContain("'=cmd|calc");
    expect(stdout).toMatch(/' ?@SUM/);
  });

  it('hides nothing in a list within a row of CSV', async () => {
    const answer = { paths: [{ path: '/', agents: ['a\u009b31m\u202eb\u200b', { name: '\u{e0041}c' }] }] };
    const { stdout } = await show(['--csv'], answer);
    expect(stdout).toBe('path,agents\n/,"[""ab"",{""name"":""c""}]"\n');
  });

  it('leaves no part of a sequence that is cut or long', () => {
    expect(visibleLine('a\u001b[')).toBe('a');
    expect(visibleLine('a\u001b]8;;http://x')).toBe('a');
    expect(visibleLine(`a${'\u001b['.repeat(100_000)}b`).length).toBeLessThan(3);
    expect(visibleLine('\u001bPq#0\u001b\\b')).toBe('b');
  });

  it('of an error message does not reach the terminal either', async () => {
    const { fetch } = answering(() => Response.json({ detail: 'no \u001b[2J\u202epath' }, { status: 404 }));
    const { stderr, code } = await runCommandLine(PATHS, { env, fetch, isTerminal: true });
    expect([stderr, code]).toEqual(['loglane: no path\n', 3]);
  });
});

describe('pages', () => {
  const row = (at: number) => ({ path: `/${at}` });

  it('--all follows cursors, and prints rows as they come', async () => {
    const { fetch, calls } = answering(({ url }) => {
      const at = Number(url.searchParams.get('cursor') ?? 0);
      return Response.json({ requests: [row(at)], next_cursor: at < 2 ? String(at + 1) : null });
    });
    const words = ['requests', 'search', '--status', '404', '--all', '--ndjson'];
    const { stdout } = await runCommandLine(words, { env, fetch });
    expect(stdout).toBe('{"path":"/0"}\n{"path":"/1"}\n{"path":"/2"}\n');
    for (const { url } of calls)
      expect([url.searchParams.get('status'), url.searchParams.get('limit')]).toEqual(['404', '500']);
  });

  it('--all follows page numbers into one answer', async () => {
    const { fetch, calls } = answering(({ url }) => {
      const page = Number(url.searchParams.get('page') ?? 1);
      return Response.json({
        urls: [row(page)],
        page,
        page_size: 1,
        total: 3,
        total_pages: 3,
        available: true,
      });
    });
    const { stdout } = await runCommandLine(['seo-reads', 'sitemap', '--all'], { env, fetch });
    expect(JSON.parse(stdout)).toMatchObject({ available: true, urls: [row(1), row(2), row(3)] });
    expect(calls[0]!.url.searchParams.get('page_size')).toBe('500');
  });

  it('--limit ends between pages, and bounds the rows of an answer', async () => {
    const { fetch, calls } = answering(({ url }) => {
      const at = Number(url.searchParams.get('cursor') ?? 0);
      return Response.json({ requests: [row(at), row(at + 1)], next_cursor: String(at + 2) });
    });
    const { stdout } = await runCommandLine(['requests', 'search', '--limit', '3', '--json=path'], {
      env,
      fetch,
    });
    expect(JSON.parse(stdout)).toEqual([row(0), row(1), row(2)]);
    expect(calls).toHaveLength(2);
  });

  it('an answer that is still computed is read again, with a note', async () => {
    let answers = 0;
    const { fetch } = answering(() =>
      Response.json(answers++ < 2 ? { ...answer, paths: null, data_buffering: true } : answer),
    );
    const { stdout, stderr } = await runCommandLine(PATHS, { env, fetch });
    expect(JSON.parse(stdout)).toEqual(answer);
    expect(stderr).toMatch(/^the instance is still computing the answer/);
  });

  it('a bar on standard error shows the progress on a terminal, and is gone at the end', async () => {
    const { fetch } = answering(({ url }) => {
      const page = Number(url.searchParams.get('page') ?? 1);
      return Response.json({ urls: [row(page)], page, page_size: 1, total: 2, total_pages: 2 });
    });
    const words = ['seo-reads', 'sitemap', '--all'];
    const { stdout, stderr, both } = await runCommandLine([...words, '--table'], {
      ...{ env, fetch, isTerminal: true },
    });
    expect(stdout).toContain('/2');
    expect(stderr).toContain('50 % | 1 of 2');
    // The bar is erased before the table begins.
    expect(both.lastIndexOf('\r\u001b[K')).toBeLessThan(both.indexOf('path'));
    const streamed = await runCommandLine([...words, '--csv'], { env, fetch, isTerminal: true });
    expect([streamed.stdout, streamed.stderr]).toEqual(['path\n/1\n/2\n', '']);
  });
});
