import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../logging/log.js';
import { drainServer } from './drain-server.js';
import type { Metrics } from './kept-metrics.js';
import { type NotReady, readyAnswer } from './readiness.js';

export interface HealthOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Reason why the service is not ready; a rejection counts as a reason. Absent: no /healthz and no /readyz. */
  readonly notReady?: () => NotReady | Promise<NotReady>;
  /** Additional fields of the body of /readyz, ready or not. */
  readonly about?: () => object;
  /** Absent: no /metrics. */
  readonly metrics?: Metrics;
  readonly logger: Logger;
}

export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * `/healthz`, `/readyz` and `/metrics` of a service without its own endpoint; each only if configured.
 * @throws Error if it cannot listen on the address.
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
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    // Probes can be cut off.
    close: () => drainServer(server, 0),
  };
}

async function route(
  path: string,
  response: ServerResponse,
  { notReady, about, metrics }: HealthOptions,
): Promise<void> {
  if (path === '/healthz' && notReady) return answer(response, 200, { status: 'ok' });
  if (path === '/readyz' && notReady) {
    const reason = await Promise.resolve()
      .then(() => notReady())
      .catch(() => 'a dependency could not be checked');
    const { status, body } = readyAnswer(reason, about?.());
    return answer(response, status, body);
  }
  if (path !== '/metrics' || !metrics) return answer(response, 404, { detail: 'no such path' });
  const text = await metrics.text();
  response.writeHead(200, { 'content-type': metrics.contentType }).end(text);
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
