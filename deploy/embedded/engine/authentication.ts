import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { authenticationFailed, EngineError } from './engine-error.js';

export interface Credentials {
  readonly user: string;
  readonly password: string;
}

/**
 * Compares a request's credentials (Authorization: Basic, or X-ClickHouse-User and X-ClickHouse-Key) with ours, since
 * other processes of the machine can connect to a loopback port.
 * @throws EngineError 194 without credentials, 516 with wrong ones.
 */
export function authenticate(headers: IncomingMessage['headers'], expected: Credentials): void {
  const given = credentialsOf(headers);
  if (given === null) throw new EngineError(194, 'REQUIRED_PASSWORD', 'Credentials are required');
  const same = equal(`${given.user}:${given.password}`, `${expected.user}:${expected.password}`);
  if (!same)
    throw authenticationFailed('Authentication failed: password is incorrect, or there is no such user');
}

function credentialsOf(headers: IncomingMessage['headers']): Credentials | null {
  const basic = /^Basic (.+)$/i.exec(headers.authorization ?? '')?.[1];
  if (basic !== undefined) {
    const [, user = '', password = ''] =
      /^([^:]*):(.*)$/s.exec(Buffer.from(basic, 'base64').toString()) ?? [];
    return { user, password };
  }
  const user = headers['x-clickhouse-user'];
  const password = headers['x-clickhouse-key'];
  return typeof user === 'string' && typeof password === 'string' ? { user, password } : null;
}

/** Compares digests, so the time depends on neither length nor content. */
function equal(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
