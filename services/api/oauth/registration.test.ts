import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../shared/durations.js';
import { REDIRECT, useOAuthApi } from '../../../test/harness/oauth.js';

/** Clients register themselves, without a key. */

const { api, register, newClient } = useOAuthApi();

describe('a registration', () => {
  it('stores nothing, and its name shows what it is', async () => {
    const before = api().controlLog.records.length;
    const { body } = await register({
      redirect_uris: [REDIRECT],
      client_name: `  \u202eedualC\u2066\u200b\n\0 ${'x'.repeat(200)}`,
    });
    expect(body.client_name).toBe(`edualC ${'x'.repeat(93)}`);
    expect(api().controlLog.records.length).toBe(before);
  });

  it('has no name that shows nothing', async () => {
    const named = async (client_name: string) =>
      (await register({ redirect_uris: [REDIRECT], client_name })).body.client_name;
    expect(await named('\u3164\u2800\ufe0f\u{e0100}')).toBe('claude.ai');
    expect(await named('Cl\u034f\u115faude\u001b]0;title\u0007')).toBe('Claude');
  });

  it.each([
    [[]],
    [Array.from({ length: 11 }, (_, each) => `https://x.example/${each}`)],
    [['https://x.example/#a']],
    [['http://x.example/']],
    [['http://127.0.0.1.x.example/']],
    [['http://localhost@x.example/']],
    [['https://user:pass@x.example/']],
    [['javascript://x/%0aalert(1)']],
    [['JavaScript:alert(1)']],
    [['data:text/html,x']],
    [['file:///etc/passwd']],
    [['ms-msdt:/id']],
    [['/callback']],
    [['https:claude.ai/callback']],
    [['https:///claude.ai/callback']],
    [['microsoft-edge:https://x.example/']],
    [['googlechromes://x.example/']],
    [['x-safari-https://x.example/']],
    [['https://x.example\\@y.example/']],
    [['https://x.example/\u202e']],
    [['java\nscript:alert(1)']],
    [[`https://x.example/${'a'.repeat(1_000)}`]],
    [Array.from({ length: 5 }, (_, each) => `https://x.example/${each}${'a'.repeat(900)}`)],
    ['https://x.example/'],
    [[7]],
  ])('with the addresses %j is refused', async (redirects) => {
    const { status, body } = await register({ redirect_uris: redirects });
    expect(status).toBe(400);
    expect(['invalid_redirect_uri', 'invalid_client_metadata']).toContain(body.error);
  });

  it.each([
    'https://claude.ai/api/mcp/auth_callback',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'com.example.app:/callback',
    'http://127.0.0.1/',
    'http://localhost:8080/callback?x=1',
    'http://[::1]:1234/callback',
  ])('with the address %s is taken', async (redirect) => {
    await newClient([redirect]);
  });

  it('needs a JSON object of bounded size', async () => {
    expect((await register([])).status).toBe(400);
    expect((await register({ redirect_uris: [REDIRECT], x: 'x'.repeat(20_000) })).status).toBe(413);
    expect((await register({ redirect_uris: [REDIRECT], grant_types: ['client_credentials'] })).status).toBe(
      400,
    );
    expect((await register({ redirect_uris: [REDIRECT], client_name: 7 })).body.error).toBe(
      'invalid_client_metadata',
    );
  });

  it('is limited for each minute', async () => {
    const statuses = [];
    for (let each = 0; each < 61; each++)
      statuses.push((await register({ redirect_uris: [REDIRECT] })).status);
    expect(statuses.slice(-2)).toEqual([201, 429]);
    api().advance(MINUTE_MS);
    await newClient();
  });
});
