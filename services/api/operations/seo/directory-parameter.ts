import { z } from '@hono/zod-openapi';
import { normalPath } from '../../../../shared/urls/normal-spelling.js';

const text = z.string().max(2048);

const DESCRIPTION = 'Only paths below this directory, in any spelling. A missing slash at the end is added.';

/** A directory as the prefix of paths: with a slash at both ends. */
export const directory = text.transform(slashed).openapi({
  type: 'string',
  description: DESCRIPTION,
  example: '/blog/',
});

/** The same with the default `/`: all paths. */
export const directoryParameter = text
  .default('/')
  .transform(slashed)
  .openapi({ type: 'string', default: '/', description: DESCRIPTION, example: '/blog/' });

function slashed(text: string, context: z.RefinementCtx): string {
  if (!text.startsWith('/')) {
    context.addIssue('a path that begins with a slash, such as /blog/');
    return z.NEVER;
  }
  if (/[?#]/.test(text)) {
    context.addIssue('a path without query string and fragment, such as /blog/');
    return z.NEVER;
  }
  return normalPath(text.endsWith('/') ? text : `${text}/`);
}
