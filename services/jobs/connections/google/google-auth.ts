import { JWT, OAuth2Client } from 'google-auth-library';
import type { GoogleCredential } from '../../../../shared/connections/credential.js';
import { boundedFetch } from '../bounded-fetch.js';

export interface GoogleAuthOptions {
  readonly credential: GoogleCredential;
  /** What a service account asks for: an OAuth scope. Of a person's consent it stands in the refresh token. */
  readonly scope: string;
  /** How Google is reached; default: the process's own fetch. */
  readonly fetch?: typeof fetch | undefined;
}

/** What opens a service of Google's, and through which its client calls: answers are bounded. */
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
