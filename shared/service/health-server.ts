import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { Logger } from '../log.js';

export interface HealthOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Whether the service does its work; one that rejects counts as not ready. */
  ready(): boolean | Promise<boolean>;
  readonly registry: Registry;
  readonly logger: Logger;
}

export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * `/healthz`, `/readyz` and `/metrics` of a service without an endpoint of its own.
 * @throws Error where the address can't be listened on.
 */
export async function startHealthServer(options: HealthOptions): Promise<HealthServer> {
  const { host, port, logger } = options;
  const server = createServer((request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return answer(response, 405, { detail: 'use GET' });
    }
    const path = (request.url ?? '/').split('?', 1)[0] as string;
    route(path, response, options).catch((error: unknown) => {
      logger.error({ err: error }, 'health: request failed');
      answer(response, 500, { detail: 'internal error' });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Probes have nothing to lose.
        server.closeAllConnections();
      }),
  };
}

async function route(path: string, response: ServerResponse, options: HealthOptions): Promise<void> {
  if (path === '/healthz') return answer(response, 200, { status: 'ok' });
  if (path === '/readyz') {
    const ready = await Promise.resolve()
      .then(() => options.ready())
      .catch(() => false);
    return answer(response, ready ? 200 : 503, { status: ready ? 'ready' : 'not ready' });
  }
  if (path !== '/metrics') return answer(response, 404, { detail: 'no such path' });
  const text = await options.registry.metrics();
  response.writeHead(200, { 'content-type': options.registry.contentType }).end(text);
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
