import { expect, test } from 'vitest';
import { loadConfig } from '../config.js';
import { billingReturnUrl, publicUrls } from './public-urls.js';

test.each([
  [{}, { base: 'http://127.0.0.1:8080', ingest: 'http://127.0.0.1:8081/v1/logs' }],
  [{ HOST: '0.0.0.0' }, { base: 'http://127.0.0.1:8080', ingest: 'http://127.0.0.1:8081/v1/logs' }],
  [{ HOST: '::1' }, { base: 'http://[::1]:8080', ingest: 'http://[::1]:8081/v1/logs' }],
  [
    { PUBLIC_API_URL: 'https://api.example', PUBLIC_INGEST_URL: 'https://in.example/v1/logs' },
    { base: 'https://api.example', ingest: 'https://in.example/v1/logs' },
  ],
])('%j has its public URL, else one that this machine can open', (environment, urls) => {
  expect(publicUrls(loadConfig(environment))).toEqual(urls);
});

test.each([
  'https://api.change-me.invalid',
  'https://IN.change-me.INVALID:8443/v1/logs',
  'http://x.invalid?a',
])('the placeholder %s stops the program before anyone sees it', (url) => {
  expect(() => loadConfig({ PUBLIC_API_URL: url })).toThrow(/PUBLIC_API_URL: is a placeholder/);
  expect(() => loadConfig({ PUBLIC_INGEST_URL: url })).toThrow(/PUBLIC_INGEST_URL: is a placeholder/);
});

test('a name that merely contains the word is no placeholder', () => {
  const url = 'https://invalid.example/v1/logs.invalid';
  expect(loadConfig({ PUBLIC_INGEST_URL: url }).PUBLIC_INGEST_URL).toBe(url);
});

test('unconfigured ports are those in use', () => {
  const config = loadConfig({ API_PORT: '0', INGEST_PORT: '0' });
  expect(publicUrls(config, { api: 4001, ingest: 4002 })).toEqual({
    base: 'http://127.0.0.1:4001',
    ingest: 'http://127.0.0.1:4002/v1/logs',
  });
});

test.each([
  [{}, 'https://api.example/public/v1/docs'],
  [{ BILLING_RETURN_URL: 'https://app.example/billing' }, 'https://app.example/billing'],
])('%j: after payment the customer returns to the configured page, else to the API', (environment, url) => {
  const config = loadConfig({ PUBLIC_API_URL: 'https://api.example', ...environment });
  expect(billingReturnUrl(config, publicUrls(config))).toBe(url);
});
