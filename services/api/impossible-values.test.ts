import { describe, expect, it } from 'vitest';
import type { ClickHouseReader } from '../../shared/store/client.js';
import { createTestApi, untouchedStore } from '../../test/harness/api.js';

/** Impossible filter values are refused with a list of valid ones: zeros for a mistyped name would look like an answer. */

/** A store with requests of one bot that is not in the crawler table. */
const oneBot: ClickHouseReader = {
  read({ name, params = {} }) {
    if (name === 'seen_crawler.any_name')
      return Promise.resolve(params.name === 'shopbot' ? [{ name: 'ShopBot' }] : []) as never;
    if (name === 'seen_crawler.busiest') return Promise.resolve([{ name: 'ShopBot' }]) as never;
    return Promise.resolve([]) as never;
  },
};

describe('an unknown bot', () => {
  it.each([
    ['/llms?bot=Nope', 'bot'],
    ['/bots?bot_name=Nope', 'bot_name'],
    ['/summary?bot_family=Nope', 'bot_family'],
    ['/seo?bot=Nope', 'bot'],
    ['/seo/robots?bot=Nope', 'bot'],
    ['/requests?bot_name=Nope', 'bot_name'],
  ])('is refused by %s, with the bots that visited', async (path, parameter) => {
    const { read } = await createTestApi({ reader: oneBot });
    const { status, body } = await read(path);
    expect(status).toBe(400);
    expect(body.detail).toMatch(new RegExp(`^${parameter}: no known crawler has the name "Nope".*ShopBot`));
  });

  it.each(['bot', 'bot_name'])('is refused as %s of an export, before a file is made', async (field) => {
    const { read } = await createTestApi({ reader: oneBot });
    const body = { export_type: 'paths', [field]: 'Nope' };
    const refused = await read('/exports', { method: 'POST', body });
    expect([refused.status, refused.body.detail]).toEqual([
      400,
      expect.stringMatching(`^${field}: no known crawler`),
    ]);
  });

  it.each(['/requests?bot_name=shopbot', '/requests?bot=GPTBot', '/requests?bot_family=google'])(
    'is not one of %s',
    async (path) => {
      const { read } = await createTestApi({ reader: oneBot });
      expect((await read(path)).status).toBe(200);
    },
  );
});

describe('other values', () => {
  it.each([
    ['/ai-landing?operator=Foo', /^operator: expected one of .*OpenAI.*, got "Foo"/],
    ['/summary?countries=XX', /^countries: no country has the code XX; the codes are AC?.*\bDE\b/],
    ['/summary?countries=DE&countries=ZZ', /^countries: no country has the code ZZ/],
    ['/requests?country=XX', /^country: no country has the code XX/],
    ['/summary?countries=UK', /^countries: the code of the United Kingdom is GB/],
    ['/summary?status=404&status_category=5xx', /^status: 404 is not in the class 5xx/],
    ['/seo/requests?filter_type=4xx&status=500', /^filter_type: 4xx differs from status/],
    ['/seo/requests?filter_type=4xx&status_category=5xx', /^filter_type: 4xx differs from status_category/],
    ['/requests?status=200&status_category=4xx', /^status: 200 is not in the class 4xx/],
  ])('of %s are refused before anything is read', async (path, detail) => {
    const { read } = await createTestApi({ reader: untouchedStore });
    const { status, body } = await read(path);
    expect([status, body.detail]).toEqual([400, expect.stringMatching(detail)]);
  });

  it('a method that neither HTTP nor a request has is refused', async () => {
    const { read } = await createTestApi({ reader: oneBot });
    const { status, body } = await read('/requests?method=FOO');
    expect([status, body.detail]).toEqual([400, expect.stringMatching(/^method: .*"FOO".*\bGET\b/)]);
    expect((await read('/requests?method=delete')).status).toBe(200);
  });
});
