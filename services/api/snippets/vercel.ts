import { type SnippetTarget, unable } from './target.js';

const BY_FIREWALL =
  'vercel.json can not compare the address of a request. Use Firewall › IP Blocking or a custom rule in the dashboard, or middleware that compares `ipAddress(request)`.';

/** A path as a regex that matches it alone. */
const exactly = (path: string) => `^${path.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`;

export const vercel: SnippetTarget = {
  name: 'vercel',
  blockIps: () => unable('vercel.json', BY_FIREWALL),
  blockBots: () =>
    unable(
      'vercel.json',
      BY_FIREWALL,
      'A rule by the user agent alone would be possible, and would block the real crawler together with those who pretend to be it.',
    ),
  gone: (paths) => ({
    filename: 'vercel.json',
    count: paths.length,
    text:
      paths.length === 0
        ? ''
        : `${JSON.stringify({ routes: paths.map((path) => ({ src: exactly(path), status: 410 })) }, null, 2)}\n`,
    notes: [
      'Put the entries before others of `routes` in vercel.json. `routes` can not stand beside `redirects`, `rewrites` and `headers`: where you use those, answer 410 in middleware instead.',
    ],
  }),
};
