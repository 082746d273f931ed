import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CodeChallengeMethod, OAuth2Client } from 'google-auth-library';
import type { GoogleCredential } from '../../shared/connections/credential.js';
import { AdminError } from './instance/instance.js';

/** Time limit for the operator's consent. */
const PATIENCE_MS = 10 * 60_000;

export interface ConsentOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The requested OAuth scope. */
  readonly scope: string;
  readonly print: (text: string) => void;
  /** For tests: replaces requests to Google. */
  readonly fetch?: typeof fetch;
  readonly patienceMs?: number;
}

/**
 * Gets the operator's consent in a browser: the installed-app flow of OAuth 2.0 with PKCE (RFC 8252, RFC 7636). Google redirects the browser
 * to a listener on the loopback address. The browser must therefore run on this machine.
 * @throws AdminError if consent was refused or the time limit passed.
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
      // Without it, Google sends no refresh token to a client with earlier consent.
      prompt: 'consent',
      scope,
      state,
      code_challenge_method: CodeChallengeMethod.S256,
      code_challenge: codeChallenge!,
    });
    print(
      `Open this address in a browser on this machine, and sign in with an account that may read the property:\n\n${address}\n`,
    );
    const code = await listener.code;
    const { tokens } = await client.getToken({ code, codeVerifier }).catch((error: Error) => {
      throw new AdminError(`the service returned no token: ${error.message}`);
    });
    if (!tokens.refresh_token) throw new AdminError('the service returned no refresh token');
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
  const timer = setTimeout(() => settle.fail(new AdminError('no consent within the time limit')), patienceMs);
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
