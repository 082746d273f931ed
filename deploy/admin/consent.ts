import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CodeChallengeMethod, OAuth2Client } from 'google-auth-library';
import type { GoogleCredential } from '../../shared/connections/credential.js';
import { AdminError } from './instance/instance.js';

/** How long the operator may take to give consent. */
const PATIENCE_MS = 10 * 60_000;

export interface ConsentOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  /** What is asked for: an OAuth scope. */
  readonly scope: string;
  readonly print: (text: string) => void;
  /** For tests: how Google is reached. */
  readonly fetch?: typeof fetch;
  readonly patienceMs?: number;
}

/**
 * Has the operator give consent in a browser: the installed-app flow of OAuth 2.0 with PKCE (RFC 8252, RFC 7636). The browser comes back
 * to a listener on the loopback address, which must be on the machine that the browser runs on.
 * @throws AdminError where consent was refused or did not come.
 */
export async function askConsent(options: ConsentOptions): Promise<GoogleCredential> {
  const { clientId, clientSecret, scope, print } = options;
  const state = randomBytes(24).toString('base64url');
  const listener = await listenForCode(state, options.patienceMs ?? PATIENCE_MS);
  try {
    const client = new OAuth2Client({
      clientId,
      clientSecret,
      redirectUri: listener.address,
      ...(options.fetch && { transporterOptions: { fetchImplementation: options.fetch } }),
    });
    const { codeVerifier, codeChallenge } = await client.generateCodeVerifierAsync();
    const address = client.generateAuthUrl({
      access_type: 'offline',
      // A client that consented before gets no refresh token without it.
      prompt: 'consent',
      scope,
      state,
      code_challenge_method: CodeChallengeMethod.S256,
      code_challenge: codeChallenge!,
    });
    print(
      `Open this address in a browser on this machine, as somebody who may read the property:\n\n${address}\n`,
    );
    const code = await listener.code;
    const { tokens } = await client.getToken({ code, codeVerifier }).catch((error: Error) => {
      throw new AdminError(`the service gave no token: ${error.message}`);
    });
    if (!tokens.refresh_token) throw new AdminError('the service gave no refresh token');
    return { type: 'oauth', clientId, clientSecret, refreshToken: tokens.refresh_token };
  } finally {
    listener.close();
  }
}

interface CodeListener {
  readonly address: string;
  readonly code: Promise<string>;
  close(): void;
}

async function listenForCode(state: string, patienceMs: number): Promise<CodeListener> {
  let settle: { done(code: string): void; fail(error: Error): void };
  const code = new Promise<string>((done, fail) => {
    settle = { done, fail };
  });
  code.catch(() => {});
  const server = createServer((request, response) => {
    const [pathname, search = ''] = (request.url ?? '/').split('?', 2);
    const searchParams = new URLSearchParams(search);
    const given = searchParams.get('code');
    response.setHeader('Content-Type', 'text/plain; charset=utf-8');
    response.setHeader('Connection', 'close');
    if (pathname !== '/' || searchParams.get('state') !== state) {
      response.writeHead(404).end('Nothing here.');
    } else if (given === null) {
      response.end('No consent was given. You may close this page.');
      settle.fail(new AdminError('no consent was given'));
    } else {
      response.end('Done. You may close this page.');
      settle.done(given);
    }
  });
  const timer = setTimeout(() => settle.fail(new AdminError('no consent came in time')), patienceMs);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    code,
    close() {
      clearTimeout(timer);
      server.close();
      server.closeAllConnections();
    },
  };
}
