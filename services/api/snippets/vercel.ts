import { type SnippetTarget, unable } from './target.js';

const BY_FIREWALL =
  'vercel.json can not compare the address of a request. Use Firewall › IP Blocking or a custom rule in the dashboard, or middleware that compares `ipAddress(request)`.';

/** A regex that matches exactly one path. */
const exactly = (path: string) => `^${path.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`;

export const vercel: SnippetTarget = {
  name: 'vercel',
  blockIps: () => unable('vercel.json', BY_FIREWALL),
  blockBots: () =>
    unable(
      'vercel.json',
      BY_FIREWALL,
      'A rule by user agent alone would be possible, but would block the real crawler together with its impostors.',
    ),
  gone: (paths) => ({
    filename: 'vercel.json',
    count: paths.length,
    text:
      paths.length === 0
        ? ''
        : `${JSON.stringify({ routes: paths.map((path) => ({ src: exactly(path), status: 410 })) }, null, 2)}\n`,
    notes: [
      'Put the entries before other `routes` in vercel.json. `routes` can not be combined with `redirects`, `rewrites` and `headers`: if you use those, answer 410 in middleware instead.',
    ],
  }),
};
