import { createHash, timingSafeEqual } from 'node:crypto';
import { digestOf } from '../../../shared/control/domain/keys.js';
import type { ApiKeyScope } from '../../../shared/control/domain/model.js';
import type { InstallationSeal } from '../../../shared/control/sealing/installation-seal.js';
import { MINUTE_MS } from '../../../shared/durations.js';
import type { RegisteredClient } from './registered-client.js';

/** An authorisation code: a person's consent, sealed. Nothing is stored until it is redeemed (aggregates/client-connection.ts). */

const CODE_MS = MINUTE_MS;
const PURPOSE = 'oauth code';
const VERIFIER = /^[\w.~-]{43,128}$/;

export interface Consent {
  /** 24 hexadecimal digits, never used before. */
  readonly codeId: string;
  readonly scope: ApiKeyScope;
  /** Session of the person. */
  readonly sessionId: string;
}

interface Binding {
  readonly client: RegisteredClient;
  readonly redirect: string;
}

/** @param now milliseconds since the epoch. */
export function sealCode(
  seal: InstallationSeal,
  { codeId, scope, sessionId }: Consent,
  { client, redirect, challenge }: Binding & { readonly challenge: string },
  now: number,
): Promise<string> {
  const binding = [client.digest, digestOf(redirect), challenge];
  return seal.seal(PURPOSE, JSON.stringify([codeId, scope, sessionId, now + CODE_MS, ...binding]));
}

/** null: the code is unknown or too old, or this client, address or secret is not the one that it was made for. */
export async function openCode(
  seal: InstallationSeal,
  code: string,
  { client, redirect, verifier }: Binding & { readonly verifier: string },
  now: number,
): Promise<Consent | null> {
  const text = await seal.open(PURPOSE, code);
  if (text === null || !VERIFIER.test(verifier)) return null;
  const [codeId, scope, sessionId, expiresAt, ...binding] = JSON.parse(text) as [
    ...[codeId: string, scope: ApiKeyScope, sessionId: string, expiresAt: number],
    ...binding: string[],
  ];
  const given = [
    client.digest,
    digestOf(redirect),
    createHash('sha256').update(verifier).digest('base64url'),
  ];
  const isBound = timingSafeEqual(hashOf(binding), hashOf(given));
  return isBound && now < expiresAt ? { codeId, scope, sessionId } : null;
}

function hashOf(parts: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
