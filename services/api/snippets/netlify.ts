import { type SnippetTarget, unable } from './target.js';

/** Lines are split at blanks; `*` and `:` are placeholders in a path; `#` begins a comment. */
const PLAIN_PATH = /^\/[A-Za-z0-9/._~%+,;@$&'()!=-]*$/;

const BY_EDGE_FUNCTION =
  'Redirect rules of Netlify can not match the address or the user agent of a request. Use a firewall traffic rule (Team › Firewall), or an Edge Function that compares `context.ip`.';

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
        'Put these lines at the beginning of `_redirects` in the published folder: the first matching rule wins. /404.html is the page shown with the status 410.',
        'Without `!`, an existing file has priority, so a page that comes back is shown. Netlify treats paths with and without a slash at the end as equal.',
        ...(plain.length < paths.length
          ? [
              `Paths left out: ${paths.length - plain.length}. They contain characters with a special meaning in this file.`,
            ]
          : []),
      ],
    };
  },
};
