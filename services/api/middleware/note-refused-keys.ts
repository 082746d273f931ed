import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { MINUTE_MS } from '../../../shared/durations.js';
import type { ApiEnv } from './env.js';

/** Refused keys leave a line, so that whoever tries them out is seen; so many a minute at most, so that trying fills no disk. */
export interface RefusedKeys {
  /** @param reason never the key itself. */
  note(c: Context<ApiEnv>, reason: string): void;
}

const LINES_A_MINUTE = 60;
/** Enough for an address through a few proxies; the rest may be anything. */
const LONGEST_FORWARDED = 200;

/** @param now milliseconds since the epoch. */
export function createRefusedKeys(now: () => number, linesAMinute = LINES_A_MINUTE): RefusedKeys {
  let minute = Number.NaN;
  let lines = 0;
  let untold = 0;
  return {
    note(c, reason) {
      const current = Math.floor(now() / MINUTE_MS);
      if (current !== minute) {
        minute = current;
        lines = 0;
      }
      if (lines >= linesAMinute) {
        untold += 1;
        return;
      }
      lines += 1;
      c.get('log').info(
        {
          reason,
          remote_address: remoteAddress(c),
          // As the client or a proxy says; nothing proves it.
          forwarded_for: c.req.header('X-Forwarded-For')?.slice(0, LONGEST_FORWARDED),
          method: c.req.method,
          path: c.req.path,
          ...(untold === 0 ? {} : { untold_before: untold }),
        },
        'API key refused',
      );
      untold = 0;
    },
  };
}

/** Of the connection; undefined without one (a test). */
function remoteAddress(c: Context<ApiEnv>): string | undefined {
  return (c.env as Partial<HttpBindings> | undefined)?.incoming?.socket?.remoteAddress;
}
