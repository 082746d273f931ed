import { execFile } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type OpenInstance, openInstance } from '../../deploy/admin/open-instance.js';
import { loadConfig } from '../../shared/config.js';
import { createLogger } from '../../shared/logging/log.js';
import { openEventLog } from '../../shared/service/open-event-log.js';

/** Operator actions on the cluster of the fault suite. */

/** @param brokers one `host:port` */
export function listens(brokers: string): Promise<boolean> {
  const { hostname, port } = new URL(`tcp://${brokers}`);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Waits for a new broker, which may still be loading its groups and transactions. */
export async function untilLogOpens(environment: Record<string, string>): Promise<void> {
  const config = loadConfig(environment);
  const deadline = Date.now() + 60_000;
  for (;;) {
    try {
      const log = await openEventLog(config, createLogger('silent', 'test'));
      return await log.close();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(500);
    }
  }
}

/** Runs a command like an operator. @returns its output. */
export async function runAdmin(
  environment: Record<string, string>,
  words: readonly string[],
): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', 'deploy/admin/main.ts', ...words],
    { env: { ...process.env, ...environment, LOG_LEVEL: 'error' } },
  );
  return stdout;
}

/** Creates a website of the same organisation. When this resolves, ingest knows its key. */
export async function createWebsite(api: string, apiKey: string, domain: string): Promise<string> {
  const response = await fetch(`${api}/public/v1/websites`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ domain, source_type: 'vector' }),
  });
  const { ingest } = (await response.json()) as { ingest: { api_key: string } };
  return ingest.api_key;
}

/** Runs many commands of the operator in this process, without a start for each. */
export async function operate<T>(
  environment: Record<string, string>,
  work: (instance: Pick<OpenInstance, 'get' | 'post'>) => Promise<T>,
): Promise<T> {
  const instance = openInstance(loadConfig(environment), createLogger('silent', 'test'));
  try {
    return await work(instance);
  } finally {
    await instance.close();
  }
}
