import type { Socket } from 'node:net';
import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import { afterDueTimers } from '../pacing/after-due-timers.js';
import { FetchError, toFetchError } from './fetch-error.js';
import { isLoopbackAddress, isPublicAddress } from './public-address.js';
import { skipInformational } from './skip-informational.js';

/**
 * Resolves names; `dns.promises.Resolver` is an implementation. Rejects or resolves to an empty list if there is no
 * such address.
 */
export interface AddressResolver {
  resolve4(name: string): Promise<string[]>;
  resolve6(name: string): Promise<string[]>;
}

/** Local servers that tests may fetch from. Production code never sets it. */
export interface LoopbackAllowance {
  /** Allowed ports of loopback addresses. */
  readonly ports?: readonly number[];
  /** Servers that replace whole websites: `https://example.com` → port of a plain HTTP server on 127.0.0.1. */
  readonly origins?: ReadonlyMap<string, number>;
}

export interface ConnectorOptions {
  readonly resolver: AddressResolver;
  readonly connectTimeoutMs: number;
  readonly loopback?: LoopbackAllowance | undefined;
}

/** Most addresses of a name that are tried, one after the other. IPv4 first, since every network has it. */
const MAX_ADDRESSES = 4;

/**
 * A connector for undici that only connects to public addresses. It resolves the name itself and connects to exactly
 * the address that it checked, so a second look-up cannot return a different address. Addresses written in a URL pass
 * the same check.
 */
export function createGuardedConnector(options: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({ timeout: options.connectTimeoutMs, maxCachedSessions: 0 });
  const dial = (target: buildConnector.Options) =>
    new Promise<Socket | TLSSocket>((resolve, reject) => {
      connect(target, (error, socket) => (error === null ? resolve(socket) : reject(error)));
    });
  return (target, callback) => {
    connectChecked(target, options, dial).then(
      async (socket) => {
        // After the event loop was blocked, the timeout must fire before anything is sent: another process may have
        // sent it.
        await afterDueTimers();
        skipInformational(socket);
        callback(null, socket);
      },
      (error: unknown) => callback(toFetchError(error, target.hostname), null),
    );
  };
}

async function connectChecked(
  target: buildConnector.Options,
  { resolver, loopback = {} }: ConnectorOptions,
  dial: (target: buildConnector.Options) => Promise<Socket | TLSSocket>,
): Promise<Socket | TLSSocket> {
  const { hostname, protocol } = target;
  const port = Number(target.port) || defaultPort(protocol);
  const standIn = loopback.origins?.get(originOf(protocol, hostname, port));
  if (standIn !== undefined)
    return dial({ ...target, hostname: '127.0.0.1', protocol: 'http:', port: String(standIn) });
  const isAllowed = (address: string) =>
    isPublicAddress(address) || (isLoopbackAddress(address) && (loopback.ports ?? []).includes(port));
  const isLiteral = isIP(hostname) !== 0;
  const addresses = isLiteral ? [hostname] : await resolveName(hostname, resolver);
  const allowed = addresses.filter(isAllowed).slice(0, MAX_ADDRESSES);
  if (allowed.length === 0) throw new FetchError('blocked_address', hostname);
  let failure: unknown;
  for (const address of allowed) {
    try {
      return await dial({
        ...target,
        hostname: address,
        port: String(port),
        ...(isLiteral ? {} : { servername: hostname }),
      });
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function resolveName(name: string, resolver: AddressResolver): Promise<string[]> {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = [v4, v6].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  if (addresses.length > 0) return addresses;
  throw new FetchError('dns', name, v4.status === 'rejected' ? v4.reason : undefined);
}

function defaultPort(protocol: string): number {
  return protocol === 'https:' ? 443 : 80;
}

function originOf(protocol: string, hostname: string, port: number): string {
  return `${protocol}//${hostname}${port === defaultPort(protocol) ? '' : `:${port}`}`;
}
