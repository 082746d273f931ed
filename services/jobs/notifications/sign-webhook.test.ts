import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { webhookHeaders } from './sign-webhook.js';

/** The check in docs/notifications.md that a receiver runs, as it is written there. */
type Check = (body: string, headers: Record<string, string>, secret: string, now?: number) => boolean;

const NOW = Date.UTC(2026, 10, 22, 12);
const body = '{"id":"1","message":"ü"}';
const headers = webhookHeaders({ id: '1', body, secret: 'llwhs_x', now: NOW });
let folder: string;
let isFromLoglane: Check;

beforeAll(async () => {
  const page = readFileSync('docs/notifications.md', 'utf8');
  const [, example] = /```js\n([\s\S]*?)```/.exec(page)!;
  folder = mkdtempSync(join(tmpdir(), 'loglane-webhook-'));
  const file = join(folder, 'example.mjs');
  writeFileSync(file, example!);
  ({ isFromLoglane } = (await import(pathToFileURL(file).href)) as { isFromLoglane: Check });
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the check of the documentation', () => {
  test('accepts a body that was signed with the secret just now', () => {
    expect(isFromLoglane(body, headers, 'llwhs_x', NOW)).toBe(true);
    expect(isFromLoglane(body, headers, 'llwhs_x', NOW + 299_000)).toBe(true);
  });

  test('refuses another body, secret, time or signature, and an old signature', () => {
    const check = (given: Partial<Record<string, string>>, secret = 'llwhs_x', text = body, now = NOW) =>
      isFromLoglane(text, { ...headers, ...given } as Record<string, string>, secret, now);
    expect(check({}, 'llwhs_y')).toBe(false);
    expect(check({}, 'llwhs_x', `${body} `)).toBe(false);
    expect(check({ 'loglane-webhook-timestamp': String(NOW / 1_000 + 1) })).toBe(false);
    expect(check({ 'loglane-webhook-timestamp': '' })).toBe(false);
    expect(check({ 'loglane-webhook-signature': '' })).toBe(false);
    expect(check({ 'loglane-webhook-signature': 'v1=00' })).toBe(false);
    expect(check({}, 'llwhs_x', body, NOW + 301_000)).toBe(false);
  });
});
