import { beforeAll, describe, expect, it } from 'vitest';
import { addressOf, exampleOf, named } from '../../../test/contract/described.js';
import { createTestApi, type TestApi, uncounted } from '../../../test/harness/api.js';
import { answering, fetchOf, operationTable, runCommandLine } from '../../../test/harness/command-line.js';
import { groupOf, verbOf } from '../table/command-names.js';
import { flagOf } from '../table/flags.js';

/** Every operation of the API is a command, and the call of the command reaches it. */

let test: TestApi;
beforeAll(async () => {
  test = await createTestApi({ usage: uncounted });
});

const operationsLogged = () =>
  test
    .logged()
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line).operation]));

const commandOf = (id: string) => operationTable.operations.find((operation) => operation.id === id)!;

/** Words with the document's examples for each parameter that the operation needs. */
function wordsFor(id: string): string[] {
  const operation = commandOf(id);
  const { parameters, body } = named.find(([name]) => name === id)![1];
  const examples = new Map(parameters.map(({ name, schema }) => [name, exampleOf(schema)]));
  const places = operation.parameters.filter(
    ({ in: place, name }) => place === 'path' && name !== 'website_id',
  );
  const needed = operation.parameters.filter(({ in: place, required }) => place === 'query' && required);
  const fields: [string, unknown][] = Object.entries(
    body === null ? {} : exampleOf({ ...body, example: undefined }),
  );
  return [
    groupOf(operation),
    verbOf(operation),
    ...places.map(({ name }) => String(examples.get(name))),
    ...needed.flatMap((parameter) => [`--${flagOf(parameter)}`, String(examples.get(parameter.name))]),
    ...fields.flatMap(([name, value]) => [
      `--${flagOf({ name })}`,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  ];
}

it('all operations of the document have commands of different names', () => {
  expect(operationTable.operations).toHaveLength(named.length);
  const names = operationTable.operations.map((operation) => `${groupOf(operation)} ${verbOf(operation)}`);
  expect(new Set(names).size).toBe(names.length);
});

describe.each(named)('%s', (id, each) => {
  it('is called by its command', async () => {
    const reached: { url: URL; method: string; status: number }[] = [];
    const api = fetchOf(test.api);
    const { stderr } = await runCommandLine([...wordsFor(id), '--website', test.website.id], {
      env: { LOGLANE_URL: 'http://loglane.test', LOGLANE_KEY: test.keys.readWrite },
      fetch: async (input, init) => {
        const response = await api(input, init);
        reached.push({ url: new URL(String(input)), method: init!.method!, status: response.status });
        return response;
      },
    });
    const examples = { website_id: test.website.id };
    const [first] = reached;
    expect({ stderr, method: first?.method, path: first?.url.pathname }).toMatchObject({
      method: each.method,
      path: new URL(addressOf(each, examples), 'http://loglane.test').pathname,
    });
    // Its own id in the log: no other operation has answered, and none of the checks before it has refused the call.
    expect(operationsLogged()).toContain(id);
    expect([401, 403, 405, 415]).not.toContain(first!.status);
  });
});

it('a read sends its flags as parameters', async () => {
  const { calls, fetch } = answering(() => Response.json({ paths: [] }));
  await runCommandLine(
    [
      'traffic',
      'paths',
      '--website',
      'w1',
      '--countries',
      'DE,FR',
      '--no-bot-verified',
      '--limit',
      '7',
      '--period',
      '2d',
    ],
    { env: { LOGLANE_URL: 'http://loglane.test', LOGLANE_KEY: 'llapi_x' }, fetch },
  );
  expect(Object.fromEntries(calls[0]!.url.searchParams)).toEqual({
    countries: 'DE,FR',
    bot_verified: 'false',
    limit: '7',
    hours: '48',
  });
});

it('a write sends the JSON of --input, with the flags over it, and a key that makes it repeatable', async () => {
  const { calls, fetch } = answering(() => Response.json({ event: { event_id: 'e1' } }));
  const { code } = await runCommandLine(
    ['site-events', 'create', '--website', 'w1', '--input', '-', '--title', 'Relaunch'],
    {
      env: { LOGLANE_URL: 'http://loglane.test', LOGLANE_KEY: 'llapi_x' },
      stdin: '{"title":"Old","date":"2026-11-21"}',
      fetch,
    },
  );
  expect(code).toBe(0);
  expect(JSON.parse(calls[0]!.body)).toEqual({ title: 'Relaunch', date: '2026-11-21' });
  expect(calls[0]!.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
});

it('the only website of the key needs no --website', async () => {
  const paths: string[] = [];
  const api = fetchOf(test.api);
  await runCommandLine(['setup', 'get'], {
    env: { LOGLANE_URL: 'http://loglane.test', LOGLANE_KEY: test.keys.readWrite },
    fetch: async (input, init) => {
      paths.push(new URL(String(input)).pathname);
      return api(input, init);
    },
  });
  expect(paths).toEqual(['/public/v1/websites', `/public/v1/websites/${test.website.id}/setup`]);
});

it('says that there are more rows, unless they were asked for', async () => {
  const { fetch } = answering(({ url }) =>
    Response.json({ requests: [{ path: '/' }], next_cursor: url.searchParams.has('cursor') ? null : 'c2' }),
  );
  const env = { LOGLANE_URL: 'http://loglane.test', LOGLANE_KEY: 'llapi_x' };
  const words = ['requests', 'search', '--website', 'w1', '--ndjson'];
  expect((await runCommandLine(words, { env, fetch })).stderr).toBe(
    'requests: 1 rows, and there may be more; --limit N or --all prints more\n',
  );
  expect(await runCommandLine([...words, '--all'], { env, fetch })).toMatchObject({
    stdout: '{"path":"/"}\n{"path":"/"}\n',
    stderr: '',
  });
});

describe('a segment', () => {
  const env = { LOGLANE_URL: 'http://loglane.test', LOGLANE_KEY: 'llapi_x', LOGLANE_WEBSITE: 'w1' };
  const read = async (segment: string, twins: readonly object[] = []) => {
    const { fetch, calls } = answering(({ url }) =>
      Response.json(
        url.pathname.endsWith('/segments')
          ? { segments: [{ segment_id: 'seg_1', name: 'Blog' }, ...twins] }
          : { paths: [], total_requests: 5 },
      ),
    );
    const words = ['traffic', 'paths', '--segment', segment];
    return { ...(await runCommandLine(words, { env, fetch })), calls };
  };

  it.each(['seg_1', 'blog'])('is found by its id or its name: %s', async (given) => {
    const { code, calls } = await read(given);
    expect([code, calls.at(-1)!.url.searchParams.get('segment')]).toEqual([0, 'seg_1']);
  });

  it('that is deleted is refused: the API would answer for all pages', async () => {
    const { code, stdout, stderr } = await read('seg_2');
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toBe('loglane: no segment "seg_2"; segments: Blog (seg_1)\n');
  });

  it('whose name another one has is taken by its id only', async () => {
    const twins = [{ segment_id: 'seg_3', name: 'blog' }];
    const { code, stderr } = await read('Blog', twins);
    expect(code).toBe(2);
    expect(stderr).toContain('seg_1 or seg_3');
    const { calls } = await read('seg_3', twins);
    expect(calls.at(-1)!.url.searchParams.get('segment')).toBe('seg_3');
  });
});

it('the main list is the one that the path names', () => {
  expect(commandOf('getBots').lists[0]).toBe('bots');
  expect(commandOf('getReferrers').lists[0]).toBe('referrers');
});

describe('a cut list', () => {
  const env = { LOGLANE_URL: 'http://loglane.test', LOGLANE_KEY: 'llapi_x', LOGLANE_WEBSITE: 'w1' };
  const rowsTo = (count: number) => Array.from({ length: count }, (_, at) => ({ path: `/${at}` }));
  const noteOf = async (words: readonly string[], body: object) => {
    const { fetch } = answering(() => Response.json(body));
    return (await runCommandLine(words, { env, fetch })).stderr;
  };
  const sitemap = { urls: rowsTo(50), page: 1, page_size: 50, total: 1_200, total_pages: 24 };

  it.each(['--table', '--csv', '--ndjson', '--json'])('is noted with its total with %s', async (form) => {
    const shown = form === '--table' ? 20 : 50;
    expect(await noteOf(['seo-reads', 'sitemap', form], sitemap)).toBe(
      `urls: ${shown} of 1200 rows; --limit N or --all prints more\n`,
    );
    expect(await noteOf(['seo-reads', 'sitemap', form, '--limit', '3'], sitemap)).toBe(
      'urls: 3 of 1200 rows; --limit N or --all prints more\n',
    );
    expect(await noteOf(['seo-reads', 'sitemap', form, '--quiet'], sitemap)).toBe('');
  });

  it('without pages is one as long as its limit', async () => {
    const words = ['traffic', 'paths', '--csv'];
    expect(await noteOf(words, { paths: rowsTo(99) })).toBe('');
    expect(await noteOf(words, { paths: rowsTo(100) })).toBe(
      'paths: 100 rows, and there may be more; --limit N or --all prints more\n',
    );
    expect(await noteOf([...words, '--all'], { paths: rowsTo(1_000) })).toBe(
      'paths: 1000 rows, and there may be more; one answer has no more: filters or another window show others\n',
    );
  });

  it('is none after the last page', async () => {
    const last = { ...sitemap, urls: rowsTo(3), total: 3, total_pages: 1 };
    expect(await noteOf(['seo-reads', 'sitemap', '--csv'], last)).toBe('');
    expect(await noteOf(['seo-reads', 'sitemap', '--csv', '--all'], last)).toBe('');
  });
});
