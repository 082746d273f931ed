import { describe, expect, it } from 'vitest';
import { findIngestKey } from '../../../../shared/control/domain/keys.js';
import { createTestApi, TEST_NOW, untouchedStore } from '../../../../test/harness/api.js';

const PATH = '/public/v1/websites';

function post(test: Awaited<ReturnType<typeof createTestApi>>, body: unknown, key?: string) {
  return test.request(PATH, { method: 'POST', body, ...(key === undefined ? {} : { key }) });
}

describe('POST /websites', () => {
  it('registers the website and answers with everything that is needed to send logs', async () => {
    const test = await createTestApi({ reader: untouchedStore });
    const { status, body } = await post(test, { domain: 'HTTPS://Shop.Example.com:8443/start?x=1' });
    expect(status).toBe(200);
    expect(body).toEqual({
      website_id: expect.stringMatching(/^web_/),
      domain: 'shop.example.com',
      name: 'shop.example.com',
      source_type: 'fastly',
      ingest: {
        url: 'https://ingest.example/v1/logs',
        header: 'X-API-Key',
        api_key: expect.stringMatching(/^ll_/),
      },
      detected: { cdn: 'fastly', display_name: 'Fastly', compatible: true },
      guide_url: 'https://api.example/public/v1/docs/guides/fastly',
      notes: [],
    });
    expect(findIngestKey(test.control.state(), body.ingest.api_key)?.websiteId).toBe(body.website_id);
  });

  it('prefers the given name and source type to the detected ones', async () => {
    const test = await createTestApi({ reader: untouchedStore });
    const { body } = await post(test, { domain: 'a.example', name: ' My shop ', source_type: 'vector' });
    expect(body).toMatchObject({ name: 'My shop', source_type: 'vector', detected: { cdn: 'fastly' } });
    expect(body.guide_url).toMatch(/\/vector$/);
  });

  it.each([
    [undefined, /\/docs\/guides$/],
    ['cloudflare', /\/guides\/cloudflare$/],
    ['vector', /\/guides\/vector$/],
  ])('names the list of guides if the platform is neither given nor detected (%s)', async (given, guide) => {
    const detected = {
      cdn: 'unknown',
      displayName: 'Unknown platform',
      compatible: true,
      sourceType: null,
    };
    const test = await createTestApi({ reader: untouchedStore, detected });
    const { body } = await post(test, { domain: 'a.example', source_type: given });
    expect(body.source_type).toBe(given ?? 'cloudflare');
    expect(body.guide_url).toMatch(guide);
  });

  it.each(['shop.internal', 'wiki.corp', 'http://nas.local/'])(
    'lists working and missing features for the private name %s',
    async (domain) => {
      const test = await createTestApi({ reader: untouchedStore });
      const { body } = await post(test, { domain });
      expect(body.notes).toEqual([expect.stringMatching(/private name.*use logs work.*do not: robots.txt/)]);
    },
  );

  it('answers 409 to a second website of the same domain, and creates nothing', async () => {
    const test = await createTestApi({ reader: untouchedStore });
    const before = test.control.state().websites.size;
    const { status, body } = await post(test, { domain: 'http://WWW.example.com/' });
    expect(status).toBe(409);
    expect(body).toEqual({ detail: expect.stringContaining('already registered') });
    expect(test.control.state().websites.size).toBe(before);
  });

  it('lets another organisation have the same domain', async () => {
    const test = await createTestApi({ reader: untouchedStore });
    expect((await post(test, { domain: 'www.example.com' }, test.keys.foreign)).status).toBe(200);
  });

  it.each([
    [{}, /^domain: expected a string, but it is missing\.$/],
    [{ domain: 7 }, /^domain: expected a string, got 7\.$/],
    [{ domain: '' }, /^domain: /],
    [{ domain: 'localhost' }, /^domain: /],
    [{ domain: '192.0.2.7' }, /^domain: .*IP address/],
    [{ domain: 'a b.example' }, /^domain: /],
    [{ domain: 'a.example', name: '' }, /^name: expected at least 1 character, got ""\.$/],
    [
      { domain: 'a.example', source_type: 'nginx' },
      /^source_type: expected one of cloudflare, aws,.*got "nginx"\.$/,
    ],
  ])('answers 400 to %j with the name of the field', async (body, detail) => {
    const test = await createTestApi({ reader: untouchedStore });
    const answer = await post(test, body);
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toMatch(detail);
  });

  it('answers 503 if the log does not accept the change, and the repeat succeeds', async () => {
    const test = await createTestApi({ reader: untouchedStore });
    test.controlLog.failNextAppend();
    const failed = await post(test, { domain: 'a.example' });
    expect(failed.status).toBe(503);
    expect(failed.headers.get('Retry-After')).not.toBeNull();
    expect((await post(test, { domain: 'a.example' })).status).toBe(200);
  });
});

describe('GET /websites', () => {
  it("lists the organisation's own websites, oldest first, and no key", async () => {
    const test = await createTestApi({ reader: untouchedStore });
    const created = await post(test, { domain: 'second.example' });
    const { status, body, text } = await test.request(PATH, { key: test.keys.read });
    expect(status).toBe(200);
    expect(body).toEqual({
      websites: [
        {
          id: test.website.id,
          domain: 'www.example.com',
          name: 'www.example.com',
          created_at: new Date(TEST_NOW).toISOString(),
          source_type: 'cloudflare',
        },
        expect.objectContaining({ id: created.body.website_id, domain: 'second.example' }),
      ],
      count: 2,
    });
    expect(text).not.toContain('ll_');
  });

  it('does not change count under max_rows', async () => {
    const test = await createTestApi({ reader: untouchedStore });
    await post(test, { domain: 'second.example' });
    const { body } = await test.request(`${PATH}?max_rows=1`);
    expect(body.websites).toHaveLength(1);
    expect(body.count).toBe(2);
    expect(body._truncated.original_counts).toEqual({ websites: 2 });
  });
});
