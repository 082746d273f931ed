import type { Context } from 'hono';
import { SESSION_MS } from '../../../shared/control/domain/sessions.js';
import { SECOND_MS } from '../../../shared/durations.js';
import type { PublicUrls } from '../../../shared/service/public-urls.js';

/** The cookie of a console session. Its text is a key: it goes to the browser once and into no log. */

const NAME = 'loglane_session';

/** As it came, unchecked; null: there is none. */
export function sessionCookie(c: Context): string | null {
  for (const pair of c.req.header('Cookie')?.split(';') ?? []) {
    const end = pair.indexOf('=');
    if (end !== -1 && pair.slice(0, end).trim() === NAME) return pair.slice(end + 1).trim();
  }
  return null;
}

export function setSessionCookie(c: Context, urls: PublicUrls, token: string): void {
  writeCookie(c, urls, token, SESSION_MS / SECOND_MS);
}

export function deleteSessionCookie(c: Context, urls: PublicUrls): void {
  writeCookie(c, urls, '', 0);
}

function writeCookie(c: Context, { base }: PublicUrls, value: string, maxAge: number): void {
  // A forged header can only keep the sender's own cookie from plain connections.
  const [forwarded] = (c.req.header('X-Forwarded-Proto') ?? '').split(',', 1);
  const isSecure = base.startsWith('https:') || forwarded === 'https';
  const flags = `Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  c.header('Set-Cookie', `${NAME}=${value}; ${flags}`);
}
