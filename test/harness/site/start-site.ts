import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SiteAnswer } from './faulty-pages.js';

export interface StartedSite {
  readonly port: number;
  /** Path and query of each request, in order. */
  readonly requests: readonly string[];
  /** Most concurrent requests. */
  readonly mostAtOnce: () => number;
  stop(): Promise<void>;
}

const DRIP_MS = 50;

/**
 * Serves a site on 127.0.0.1, over plain HTTP. With `LoopbackAllowance.origins` fetchers reach it under its
 * own origin.
 */
export async function startSite(site: { answer(place: string): SiteAnswer }): Promise<StartedSite> {
  const requests: string[] = [];
  let open = 0;
  let most = 0;
  const server = createServer(({ url }, response) => {
    requests.push(url!);
    open += 1;
    most = Math.max(most, open);
    response.on('close', () => {
      open -= 1;
    });
    const { status, headers = {}, body = '', delayMs = 0, drips = false } = site.answer(url!);
    const send = () => {
      response.writeHead(status, headers);
      if (!drips && headers['content-length'] === undefined) return void response.end(body);
      response.write(body);
      if (!drips) return void setTimeout(() => response.destroy(), DRIP_MS);
      const timer = setInterval(() => response.write(' '), DRIP_MS);
      response.on('close', () => clearInterval(timer));
    };
    if (delayMs > 0) setTimeout(send, delayMs);
    else send();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    mostAtOnce: () => most,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
