import { Readable } from 'node:stream';
import { Hono } from 'hono';
import { PublicError } from '../../../shared/errors.js';
import { isFileKey } from '../../../shared/files/file-store.js';
import { FILES_PATH, verifyFile } from '../../../shared/files/signed-link.js';
import type { ApiEnv } from '../middleware/env.js';
import type { ApiServices } from '../operation.js';

/** What a name's ending says of the file. */
const contentTypes: ReadonlyMap<string, string> = new Map([
  ['csv', 'text/csv; charset=utf-8'],
  ['ndjson', 'application/x-ndjson'],
  ['json', 'application/json'],
  ['parquet', 'application/vnd.apache.parquet'],
  ['gz', 'application/gzip'],
  ['zst', 'application/zstd'],
  ['html', 'text/html; charset=utf-8'],
  ['pdf', 'application/pdf'],
]);

/** Files of a folder, for whoever has their signed address. A bucket serves its own. */
export function fileRoutes({ files }: Pick<ApiServices, 'files'>, now: () => number): Hono<ApiEnv> {
  const routes = new Hono<ApiEnv>();
  const local = files?.local ?? null;
  if (local === null) return routes;
  routes.get(`${FILES_PATH}/*`, async (c) => {
    c.header('Cache-Control', 'private, no-store');
    const key = c.req.path.slice(FILES_PATH.length + 1);
    const { expires, name, signature } = c.req.query();
    const signed = isFileKey(key) ? verifyFile(local.secret, { key, expires, name, signature }, now()) : null;
    const stored = signed === null ? null : await local.stat(key);
    if (signed === null || stored === null)
      throw new PublicError(
        'not_found',
        'There is no such file, or its address has expired: ask the API for a new one.',
      );
    c.header(
      'Content-Type',
      contentTypes.get(signed.name.slice(signed.name.lastIndexOf('.') + 1)) ?? 'application/octet-stream',
    );
    // Never shown as a page of this host, whatever is in it.
    c.header('Content-Disposition', `attachment; filename="${signed.name.replaceAll(/[^\w.-]/g, '_')}"`);
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('Content-Length', String(stored.bytes));
    if (c.req.method === 'HEAD') return c.body(null, 200);
    return c.body(Readable.toWeb(await local.open(key)) as ReadableStream, 200);
  });
  return routes;
}
