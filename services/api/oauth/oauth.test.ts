import {
  auth,
  discoverOAuthServerInfo,
  exchangeAuthorization,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  refreshAuthorization,
  registerClient,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  startAuthorization,
} from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.js';
import { createTestApi } from '../../../test/harness/api.js';
import { granted } from '../../../test/harness/control-plane.js';
import { connectMcp, eras } from '../../../test/harness/mcp-client.js';
import { BASE, REDIRECT, useOAuthApi } from '../../../test/harness/oauth.js';
import { authorizationServer, metadataPaths, protectedResource, protectedResourceUrl } from './metadata.js';

/** The whole way of a client, as the official one walks it. */

const { api, fetchFn, callMcp, allow, post, connections } = useOAuthApi();

class Provider implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = { redirect_uris: [REDIRECT], client_name: 'Claude' };
  client: StoredOAuthClientInformation | undefined;
  saved: StoredOAuthTokens | undefined;
  verifier = '';
  opened: URL | null = null;
  discovered: OAuthDiscoveryState | undefined;
  state = () => 'a b&c=%/é';
  clientInformation = () => this.client;
  saveClientInformation = (client: StoredOAuthClientInformation) => {
    this.client = client;
  };
  tokens = () => this.saved;
  saveTokens = (tokens: StoredOAuthTokens) => {
    this.saved = tokens;
  };
  redirectToAuthorization = (url: URL) => {
    this.opened = url;
  };
  saveCodeVerifier = (verifier: string) => {
    this.verifier = verifier;
  };
  codeVerifier = () => this.verifier;
  saveDiscoveryState = (state: OAuthDiscoveryState) => {
    this.discovered = state;
  };
  discoveryState = () => this.discovered;
  invalidateCredentials(what: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery') {
    if (what === 'all' || what === 'client') this.client = undefined;
    if (what === 'all' || what === 'tokens') this.saved = undefined;
  }
}

describe('the official client', () => {
  it('discovers, registers, is allowed, calls, refreshes and is revoked', async () => {
    const provider = new Provider();
    const options = { serverUrl: `${BASE}/mcp`, fetchFn };
    expect(await auth(provider, options)).toBe('REDIRECT');
    const back = await allow(provider.opened!);
    expect(back.get('state')).toBe('a b&c=%/é');
    expect(
      await auth(provider, { ...options, authorizationCode: back.get('code')!, iss: back.get('iss')! }),
    ).toBe('AUTHORIZED');
    expect(provider.saved).toMatchObject({ token_type: 'Bearer', expires_in: 3_600, scope: 'read' });
    const first = provider.saved!;
    expect(await callMcp(first.access_token)).toBe(200);
    for (const era of eras) {
      const ask = (request: Request) => fetchFn(request.url, request);
      const client = await connectMcp({ era, key: first.access_token, ask, url: `${BASE}/mcp` });
      expect(JSON.stringify(await client.callTool({ name: 'list_websites', arguments: {} }))).toContain(
        api().website.domain,
      );
      await client.close();
    }

    api().advance(HOUR_MS);
    expect(await callMcp(first.access_token)).toBe(401);
    expect(await auth(provider, options)).toBe('AUTHORIZED');
    expect(provider.saved!.refresh_token).not.toBe(first.refresh_token);
    expect(await callMcp(provider.saved!.access_token)).toBe(200);

    const [connection] = connections();
    expect(connection).toMatchObject({
      name: 'Claude',
      scope: 'read',
      organisationId: api().website.organisationId,
    });
    granted(await api().control.execute({ type: 'revokeApiKey', apiKeyId: connection!.id }, 'admin'));
    expect(await callMcp(provider.saved!.access_token)).toBe(401);
    // The refresh fails, and the client asks the person again.
    provider.opened = null;
    expect(await auth(provider, options)).toBe('REDIRECT');
    expect(provider.opened).not.toBeNull();
  });

  it('registers again where its id is unknown, as after a move to a new installation', async () => {
    const provider = new Provider();
    provider.client = { client_id: `0123456789ab.${'A'.repeat(80)}` };
    provider.saved = { access_token: 'x', token_type: 'Bearer', refresh_token: 'y' };
    expect(await auth(provider, { serverUrl: `${BASE}/mcp`, fetchFn })).toBe('REDIRECT');
    expect(provider.client!.client_id).not.toContain('AAAA');
  });

  it('goes the same way step by step', async () => {
    const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } =
      await discoverOAuthServerInfo(`${BASE}/mcp`, {
        fetchFn,
        resourceMetadataUrl: new URL(protectedResourceUrl({ base: BASE, ingest: '' })),
      });
    expect(resourceMetadata).toMatchObject({ resource: `${BASE}/mcp`, authorization_servers: [BASE] });
    const metadata = authorizationServerMetadata!;
    expect(metadata).not.toHaveProperty('client_id_metadata_document_supported');
    const redirectUrl = 'http://127.0.0.1:49152/callback';
    const clientInformation = await registerClient(authorizationServerUrl, {
      metadata,
      clientMetadata: {
        redirect_uris: ['http://127.0.0.1/callback'],
        token_endpoint_auth_method: 'client_secret_post',
      },
      fetchFn,
    });
    expect(clientInformation).toMatchObject({ token_endpoint_auth_method: 'none', client_name: '127.0.0.1' });
    const resource = new URL(`${BASE}/mcp`);
    const common = { metadata, clientInformation, resource, fetchFn };
    const { authorizationUrl, codeVerifier } = await startAuthorization(authorizationServerUrl, {
      ...common,
      redirectUrl,
      scope: 'read read_write offline_access',
    });
    const back = await allow(authorizationUrl, { scope: 'read_write' });
    const tokens = await exchangeAuthorization(authorizationServerUrl, {
      ...common,
      authorizationCode: back.get('code')!,
      iss: back.get('iss')!,
      codeVerifier,
      redirectUri: redirectUrl,
    });
    expect(tokens.scope).toBe('read read_write');
    const next = await refreshAuthorization(authorizationServerUrl, {
      ...common,
      refreshToken: tokens.refresh_token!,
    });
    api().advance(MINUTE_MS);
    await expect(
      refreshAuthorization(authorizationServerUrl, { ...common, refreshToken: tokens.refresh_token! }),
    ).rejects.toThrow('twice');
    expect(await callMcp(next.access_token)).toBe(401);
  });
});

describe('the documents', () => {
  it('are read by pages of any host, and describe what there is', async () => {
    const paths = [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-authorization-server',
    ];
    for (const path of paths) {
      const { status, headers } = await api().request(path, {
        key: null,
        headers: { Origin: 'https://x.example' },
      });
      expect([status, headers.get('Access-Control-Allow-Origin')]).toEqual([200, '*']);
    }
    for (const path of [...paths, '/oauth/token', '/oauth/register', '/oauth/revoke']) {
      const asked = await api().request(path, {
        key: null,
        method: 'OPTIONS',
        headers: {
          Origin: 'https://x.example',
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'mcp-protocol-version, content-type',
        },
      });
      expect([asked.status, asked.headers.get('Access-Control-Allow-Origin')]).toEqual([204, '*']);
    }
    for (const path of ['/oauth/authorize', '/oauth/consent'])
      expect(
        (await api().request(path, { key: null })).headers.get('Access-Control-Allow-Origin'),
      ).toBeNull();
  });

  it('are not there without a console, and neither is the rest', async () => {
    const off = await createTestApi({});
    for (const path of [
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-protected-resource/mcp',
      '/oauth/authorize',
      '/oauth/consent',
    ])
      expect((await off.request(path)).status).toBe(404);
    expect((await post('/oauth/token', {}, off.request)).status).toBe(404);
  });

  it('name the paths that clients look for where the base has a path', () => {
    const urls = { base: 'https://example.com/logs', ingest: '' };
    expect(protectedResource(urls).resource).toBe('https://example.com/logs/mcp');
    expect(authorizationServer(urls).issuer).toBe('https://example.com/logs');
    const { protectedResource: ofResource, authorizationServer: ofServer } = metadataPaths(urls);
    expect(ofResource).toContain('/.well-known/oauth-protected-resource/logs/mcp');
    expect(ofServer).toContain('/.well-known/oauth-authorization-server/logs');
  });
});
