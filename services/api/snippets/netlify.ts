import { type SnippetTarget, unable } from './target.js';

/** Its lines are split at blanks; `*` and `:` stand for something else in a path, `#` begins a comment. */
const PLAIN_PATH = /^\/[A-Za-z0-9/._~%+,;@$&'()!=-]*$/;

const BY_EDGE_FUNCTION =
  'Redirect rules of Netlify know neither the address nor the user agent of a request. Use a firewall traffic rule (Team › Firewall), or an Edge Function that compares `context.ip`.';

export const netlify: SnippetTarget = {
  name: 'netlify',
  blockIps: () => unable('_redirects', BY_EDGE_FUNCTION),
  blockBots: () => unable('_redirects', BY_EDGE_FUNCTION),
  gone(paths) {
    const plain = paths.filter((path) => PLAIN_PATH.test(path));
    return {
      filename: '_redirects',
      count: plain.length,
      text: plain.map((path) => `${path}  /404.html  410\n`).join(''),
      notes: [
        'Put these lines at the beginning of `_redirects` in the published folder: the first rule that fits counts. /404.html is the page that is shown with the status 410.',
        'Without `!` a file of that path goes first, so that a page that comes back is shown. Netlify makes no difference between a path with and without a slash at its end.',
        ...(plain.length < paths.length
          ? [
              `Paths left out: ${paths.length - plain.length}. They hold characters that mean something else in this file.`,
            ]
          : []),
      ],
    };
  },
};
