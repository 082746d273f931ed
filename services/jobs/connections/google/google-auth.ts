import { JWT, OAuth2Client } from 'google-auth-library';
import type { GoogleCredential } from '../../../../shared/connections/credential.js';
import { boundedFetch } from '../bounded-fetch.js';

export interface GoogleAuthOptions {
  readonly credential: GoogleCredential;
  /** The OAuth scope of a service account. With a person's consent, the refresh token has the scope. */
  readonly scope: string;
  /** The fetch for Google; default: the process's own. */
  readonly fetch?: typeof fetch | undefined;
}

/** The authenticated client for a Google service. Its answers are limited in size. */
export function googleAuth({ credential, scope, fetch: given }: GoogleAuthOptions): JWT | OAuth2Client {
  const transporterOptions = { fetchImplementation: boundedFetch(given ?? fetch) };
  if (credential.type === 'service_account') {
    const { clientEmail: email, privateKey: key } = credential;
    return new JWT({ email, key, scopes: [scope], transporterOptions });
  }
  const { clientId, clientSecret, refreshToken } = credential;
  const client = new OAuth2Client({ clientId, clientSecret, transporterOptions });
  client.setCredentials({ refresh_token: refreshToken });
  return client;
}
