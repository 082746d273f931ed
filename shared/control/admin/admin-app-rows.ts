import type { Hono } from 'hono';
import { PublicError } from '../../errors.js';
import { type ForgetDays, wantedForget } from './forget-days.js';
import { readBody } from './read-input.js';
import { type Reclassify, reclassification } from './reclassify.js';

/** Routes that change stored requests of many days. Absent: there is no ClickHouse that has any. */
export interface RowRoutesOptions {
  readonly forgetDays?: ForgetDays | undefined;
  readonly reclassify?: Reclassify | undefined;
}

export function addRowRoutes(app: Hono, { forgetDays, reclassify }: RowRoutesOptions): void {
  app.post('/forget', async (context) => {
    const wanted = readBody(wantedForget, await context.req.text());
    if (forgetDays === undefined)
      throw new PublicError('invalid_request', 'this needs ClickHouse, too: set CLICKHOUSE_URL');
    return context.json({ answer: await forgetDays(wanted) });
  });

  app.post('/reclassify', async (context) => {
    const wanted = readBody(reclassification, await context.req.text());
    if (reclassify === undefined)
      throw new PublicError('invalid_request', 'judging anew needs ClickHouse, too: set CLICKHOUSE_URL');
    return context.json({ rows: await reclassify(wanted) });
  });
}
