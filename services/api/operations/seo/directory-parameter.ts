import { z } from '@hono/zod-openapi';

/** A directory as paths begin: with a slash at both ends. */
export const directoryParameter = z
  .string()
  .max(2048)
  .default('/')
  .transform((text, context) => {
    if (!text.startsWith('/')) {
      context.addIssue('a path that begins with a slash, such as /blog/');
      return z.NEVER;
    }
    if (/[?#]/.test(text)) {
      context.addIssue('a path without query string and fragment, such as /blog/');
      return z.NEVER;
    }
    return text.endsWith('/') ? text : `${text}/`;
  })
  .openapi({
    type: 'string',
    default: '/',
    description:
      'Only paths below this directory, percent-encoded as they are logged. Without a slash at its end it gets one.',
    example: '/blog/',
  });
