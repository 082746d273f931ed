import { z } from 'zod';
import { digestOf } from '../../../shared/control/domain/keys.js';
import type { InstallationSeal } from '../../../shared/control/sealing/installation-seal.js';
import { visibleLine } from '../../../shared/visible-text.js';
import { OAuthError } from './oauth-error.js';
import { destinationOf, faultOfRedirect } from './redirect-uri.js';

/**
 * Dynamic client registration (RFC 7591) that stores nothing: the client's id is its sealed registration
 * (docs/decisions/030-registration-is-the-id.md).
 */

const MOST_REDIRECTS = 10;
const LONGEST_NAME = 100;
/** Bound of a registration before it is sealed; the id is a third longer. */
const MOST_BYTES = 2_000;
const PURPOSE = 'oauth client';

export interface RegisteredClient {
  /** Bounded, and without control and bidi characters. The client chose it: show it as a quotation. */
  readonly name: string;
  readonly redirects: readonly string[];
  /** SHA-256 of the id. */
  readonly digest: string;
}

const names = z.array(z.string()).optional();
const registration = z.object({
  redirect_uris: z.array(z.string()).min(1).max(MOST_REDIRECTS),
  client_name: z.string().optional(),
  grant_types: names,
  response_types: names,
});

/** @throws OAuthError invalid_redirect_uri, invalid_client_metadata */
export function readRegistration(body: unknown): Omit<RegisteredClient, 'digest'> {
  const { success, data, error } = registration.safeParse(body);
  if (!success) throw invalidMetadata(error.issues[0]!);
  for (const redirect of data.redirect_uris) {
    const fault = faultOfRedirect(redirect);
    if (fault !== null) throw new OAuthError('invalid_redirect_uri', `redirect_uris: ${fault}.`);
  }
  refuseWithout('authorization_code', 'grant_types', data.grant_types);
  refuseWithout('code', 'response_types', data.response_types);
  const redirects = [...new Set(data.redirect_uris)];
  const name = cleanName(data.client_name ?? '') || destinationOf(redirects[0]!).name.slice(0, LONGEST_NAME);
  if (Buffer.byteLength(textOf({ name, redirects })) > MOST_BYTES)
    throw new OAuthError(
      'invalid_client_metadata',
      `redirect_uris: expected at most ${MOST_BYTES} bytes together.`,
    );
  return { name, redirects };
}

function invalidMetadata({ path }: z.core.$ZodIssue): OAuthError {
  const field = ['redirect_uris', 'client_name', 'grant_types', 'response_types'].find(
    (each) => each === path[0],
  );
  return field === 'redirect_uris'
    ? new OAuthError('invalid_redirect_uri', `redirect_uris: expected 1 to ${MOST_REDIRECTS} addresses.`)
    : new OAuthError('invalid_client_metadata', `${field ?? 'body'}: expected another form (RFC 7591).`);
}

function refuseWithout(needed: string, field: string, given: readonly string[] | undefined): void {
  if (given !== undefined && !given.includes(needed))
    throw new OAuthError('invalid_client_metadata', `${field}: expected ${needed}.`);
}

/** One line of at most 100 characters that hides nothing. */
function cleanName(text: string): string {
  const visible = visibleLine(text).replace(/\s+/gu, ' ').trim();
  return [...visible].slice(0, LONGEST_NAME).join('').trim();
}

function textOf({ name, redirects }: Omit<RegisteredClient, 'digest'>): string {
  return JSON.stringify([name, redirects]);
}

/** @returns the client's id. */
export function sealClient(
  seal: InstallationSeal,
  client: Omit<RegisteredClient, 'digest'>,
): Promise<string> {
  return seal.seal(PURPOSE, textOf(client));
}

/** @throws OAuthError invalid_client if this installation did not make the id: the client registers again. */
export async function openClient(seal: InstallationSeal, clientId: string | null): Promise<RegisteredClient> {
  const text = clientId === null ? null : await seal.open(PURPOSE, clientId);
  if (clientId === null || text === null)
    throw new OAuthError(
      'invalid_client',
      'client_id: this installation does not know the client; register it.',
    );
  const [name, redirects] = JSON.parse(text) as [string, string[]];
  return { name, redirects, digest: digestOf(clientId) };
}
