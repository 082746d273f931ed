import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** An answer of a Google service: complete text, or text that is cut before its end. */
export interface GoogleAnswer {
  readonly status: number;
  readonly body: object | string;
  readonly cut?: boolean;
}

export interface GoogleServer {
  readonly fetch: typeof fetch;
  /** Path and body of each call, except for tokens. */
  readonly calls: { path: string; body: any }[];
  /** Parameters of the token requests. */
  readonly tokens: URLSearchParams[];
  stop(): Promise<void>;
}

export interface GoogleService {
  /** An answer instead of a token; undefined: a token. */
  failureOfToken(): GoogleAnswer | undefined;
  answer(path: string, body: any): GoogleAnswer;
}

const ACCESS = 'test-access-token';

/** A server for one of Google's REST interfaces, and for its token address. */
export async function startGoogleServer({ failureOfToken, answer }: GoogleService): Promise<GoogleServer> {
  const calls: GoogleServer['calls'] = [];
  const tokens: URLSearchParams[] = [];
  const server = createServer(async (request, response) => {
    const { status, body, cut = false } = answerTo(request, await text(request));
    const content = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(content),
    });
    if (!cut) return void response.end(content);
    response.write(content.slice(0, content.length / 2), () => response.destroy());
  });

  function answerTo(request: IncomingMessage, content: string): GoogleAnswer {
    const path = decodeURIComponent(request.url!);
    if (path === '/token') {
      tokens.push(new URLSearchParams(content));
      const token = { access_token: ACCESS, expires_in: 3600, token_type: 'Bearer' };
      return failureOfToken() ?? { status: 200, body: token };
    }
    if (request.headers.authorization !== `Bearer ${ACCESS}`) return { status: 401, body: {} };
    const body = JSON.parse(content);
    calls.push({ path, body });
    return answer(path, body);
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ calls, tokens },
    fetch: ((input: string | URL | Request, init?: RequestInit) => {
      const { hostname, pathname } = new URL(input instanceof Request ? input.url : input);
      if (!hostname.endsWith('googleapis.com')) throw new Error(`${hostname} must not be called`);
      return fetch(origin + pathname, init);
    }) as typeof fetch,
    stop: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
