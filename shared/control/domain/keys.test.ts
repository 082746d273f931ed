import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evolve } from '../decide/fold.js';
import { findApiKey, findIngestKey, newKey, SECRET_BYTES } from './keys.js';
import { emptyState } from './state.js';

const secretBytes = fc.uint8Array({ minLength: SECRET_BYTES, maxLength: SECRET_BYTES });

function stateWith(secret: string) {
  const state = emptyState();
  const at = '2026-11-21T12:00:00.000Z';
  const organisationId = 'org_1';
  const { clearText: _a, ...api } = newKey('api', secret);
  const { clearText: _i, ...ingest } = newKey('ingest', secret);
  const add = (aggregate: string, data: object) =>
    evolve(state, {
      id: aggregate,
      at,
      by: 'admin',
      events: [{ aggregate, aggregateId: `${aggregate}_1`, version: 1, type: `${aggregate}.created`, data }],
    });
  add('api_key', { organisationId, userId: null, name: 'k', scope: 'read', expiresAt: null, ...api });
  add('ingest_key', { organisationId, websiteId: 'web_1', ...ingest });
  return state;
}

describe('keys', () => {
  test('each key is valid only for its own kind, even with the same random part', () => {
    fc.assert(
      fc.property(secretBytes, (bytes) => {
        const secret = Buffer.from(bytes).toString('base64url');
        const state = stateWith(secret);
        expect(findApiKey(state, `llapi_${secret}`, 0)?.id).toBe('api_key_1');
        expect(findIngestKey(state, `ll_${secret}`)?.id).toBe('ingest_key_1');
        expect(findApiKey(state, `ll_${secret}`, 0)).toBeNull();
        expect(findIngestKey(state, `llapi_${secret}`)).toBeNull();
      }),
    );
  });

  test('only the exact key is accepted', () => {
    const secret = Buffer.alloc(SECRET_BYTES, 7).toString('base64url');
    const state = stateWith(secret);
    const clearText = `llapi_${secret}`;
    const { digest } = newKey('api', secret);
    for (const wrong of [
      '',
      ' ',
      'llapi_',
      secret,
      digest,
      `${clearText}\n`,
      ` ${clearText}`,
      clearText.slice(0, -1),
    ])
      expect(findApiKey(state, wrong, 0)).toBeNull();
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.nat(60), (text, position) => {
        const changed = clearText.slice(0, position) + text + clearText.slice(position + text.length);
        fc.pre(changed !== clearText);
        expect(findApiKey(state, changed, 0)).toBeNull();
      }),
    );
  });

  test('the digest reveals only the key’s last four characters', () => {
    const { clearText, digest, last4 } = newKey(
      'ingest',
      Buffer.alloc(SECRET_BYTES, 7).toString('base64url'),
    );
    expect(clearText).toMatch(/^ll_[\w-]{43}$/);
    expect(digest).toMatch(/^[\da-f]{64}$/);
    expect(clearText.endsWith(last4)).toBe(true);
    expect(last4).toHaveLength(4);
  });
});
