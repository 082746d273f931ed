import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR_AGO, storeWorld } from '../../../../test/harness/api/recommendations.js';
import { createTestApi, type TestApi } from '../../../../test/harness/api.js';
import { startTestClickHouse, type TestClickHouse } from '../../../../test/harness/clickhouse.js';
import { insertStored, storedRequest } from '../../../../test/harness/stored-requests.js';
import { snippetTargetNames, snippetTypes } from '../../snippets/target.js';

let engine: TestClickHouse;
let test: TestApi;

beforeAll(async () => {
  engine = await startTestClickHouse();
  test = await createTestApi({ reader: engine.clickhouse });
  await storeWorld(engine, test.website.id, '203.0.113');
});
afterAll(() => engine?.stop());

describe('GET /recommendations/snippet', () => {
  const snippet = async (query: string) => (await test.read(`/recommendations/snippet?${query}`)).body;

  it('lists unshared addresses in the syntax of the target', async () => {
    const body = await snippet('type=block_ips&target=nginx');
    expect(body).toMatchObject({
      type: 'block_ips',
      target: 'nginx',
      filename: 'loglane-block-ips.conf',
      count: 4,
    });
    expect(body.snippet).toBe(
      'deny 203.0.113.9;\ndeny 203.0.113.30;\ndeny 203.0.113.31;\ndeny 203.0.113.10;\n',
    );
    expect(body.notes.join(' ')).toContain('203.0.113.11 (cdn)');
  });

  it("is for the website's platform by default", async () => {
    expect(test.website.sourceType).toBe('cloudflare');
    expect((await snippet('type=block_ips')).snippet).toMatch(/^\(ip\.src in \{203\.0\.113\.9 /);
  });

  it('matches bots by name and address together', async () => {
    const body = await snippet('type=block_bots&target=apache');
    expect(body.count).toBe(3);
    expect(body.entries.map(({ entry }: { entry: string }) => entry).toSorted()).toEqual([
      'GPTBot 203.0.113.31',
      'Googlebot 203.0.113.30',
      'Googlebot 203.0.113.32',
    ]);
    expect(body.snippet).toContain("=~ m#Googlebot#i && (-R '203.0.113.30' || -R '203.0.113.32')");
    expect(body.snippet).toContain("=~ m#GPTBot#i && (-R '203.0.113.31')");
  });

  it('is empty for robots.txt, because only real crawlers would obey', async () => {
    const body = await snippet('type=block_bots&target=robots');
    expect(body).toMatchObject({ snippet: '', count: 0 });
    expect(body.notes.join(' ')).toContain('can not stop an impostor');
  });

  it('marks paths as gone that were never served', async () => {
    const body = await snippet('type=gone_404s&target=netlify');
    expect(body.snippet).toBe('/old-page/203.0.113  /404.html  410\n');
    expect(body.notes.join(' ')).toContain('Paths left out: 3.');
    // A week by default.
    expect(body.window.hours).toBe(168);
    expect((await snippet('type=gone_404s&days=2')).window.hours).toBe(48);
    expect((await snippet('type=gone_404s&days=2&hours=5')).window.hours).toBe(5);
  });

  it.each(snippetTypes.flatMap((type) => snippetTargetNames.map((target) => [type, target] as const)))(
    '%s for %s has a text, or a reason why not',
    async (type, target) => {
      const body = await snippet(`type=${type}&target=${target}`);
      expect(body).toMatchObject({ type, target, data_buffering: false });
      expect(body.count > 0).toBe(body.snippet !== '');
      expect(body.entries).toHaveLength(body.count);
      const cannot = ['netlify', 'vercel'].includes(target) ? type !== 'gone_404s' : target === 'robots';
      expect(body.snippet === '').toBe(cannot);
      expect(body.notes.length).toBeGreaterThan(1);
    },
  );

  it('leaves out resolved recommendations', async () => {
    const own = await createTestApi({ reader: engine.clickhouse });
    await storeWorld(engine, own.website.id, '192.0.2');
    await own.request(`/public/v1/websites/${own.website.id}/recommendations/resolve`, {
      method: 'POST',
      body: { key: 'ip:192.0.2.9' },
    });
    const { body } = await own.read('/recommendations/snippet?type=block_ips&target=nginx');
    expect(body.snippet).not.toContain('192.0.2.9;');
    expect(body.count).toBe(3);
  });

  it('does not mark a page as gone that was requested only in another spelling', async () => {
    const own = await createTestApi({ reader: engine.clickhouse });
    const missing = { website_id: own.website.id, status: 404, timestamp: HOUR_AGO };
    const rows = [
      storedRequest({ ...missing, path: '/about', sent_target: '/%61bout', log_index: 0 }),
      storedRequest({ ...missing, path: '/old', sent_target: '/%6fld', log_index: 1 }),
      storedRequest({ ...missing, path: '/old', log_index: 2 }),
    ];
    await insertStored(engine.clickhouse, rows, { deduplicationToken: own.website.id });
    const { body } = await own.read('/recommendations/snippet?type=gone_404s&target=netlify');
    expect(body.snippet).toBe('/old  /404.html  410\n');
  });

  it.each([
    'type=block',
    'type=block_ips&target=iis',
    'type=block_ips&days=0',
    'type=block_ips&days=366',
    '',
  ])('"%s" is refused', async (query) => {
    const { status, body } = await test.read(`/recommendations/snippet?${query}`);
    expect(status).toBe(400);
    expect(body.detail).toMatch(/type|target|days/);
  });
});
