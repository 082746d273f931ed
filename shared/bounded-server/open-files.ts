import { readFileSync } from 'node:fs';
import type { Config } from '../config.js';

type Connections = Pick<Config, 'API_MAX_CONNECTIONS' | 'INGEST_MAX_CONNECTIONS'>;

/** Descriptors for the log, the store's client, files and calls to other services. */
const MOST_RESERVED = 1_024;

/**
 * Lowers the connection limits if the process may not open enough files. Client connections then never take the
 * descriptors that the log and the store need, and neither port takes the other's.
 * @param openFiles limit of open files of the process
 */
export function fitConnections<Settings extends Connections>(config: Settings, openFiles: number): Settings {
  const room = openFiles - Math.min(MOST_RESERVED, Math.floor(openFiles / 2));
  const share = room / (config.API_MAX_CONNECTIONS + config.INGEST_MAX_CONNECTIONS);
  if (share >= 1) return config;
  return {
    ...config,
    API_MAX_CONNECTIONS: Math.floor(config.API_MAX_CONNECTIONS * share),
    INGEST_MAX_CONNECTIONS: Math.floor(config.INGEST_MAX_CONNECTIONS * share),
  };
}

/**
 * Limit of open files of this process; infinity if the system does not report one. Node.js raises its soft limit to the
 * hard limit.
 */
export function mostOpenFiles(): number {
  let limits: string;
  try {
    limits = readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return Number.POSITIVE_INFINITY;
  }
  const line = limits.split('\n').find((one) => one.startsWith('Max open files'));
  const most = Number(line?.slice('Max open files'.length).trim().split(' ', 1)[0]);
  return Number.isFinite(most) && most > 0 ? most : Number.POSITIVE_INFINITY;
}
