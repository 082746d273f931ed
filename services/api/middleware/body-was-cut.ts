import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { ApiEnv } from './env.js';

/** Whether the connection ended within the body, so that reading it failed. That is no failure of the service, and any stranger can do it. */
export function bodyWasCut(error: Error, c: Context<ApiEnv>): boolean {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
  return (
    incoming?.destroyed === true &&
    !incoming.complete &&
    (error as NodeJS.ErrnoException).code === 'ECONNRESET'
  );
}
