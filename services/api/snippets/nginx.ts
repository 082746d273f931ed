import { decodePath } from './gone-paths.js';
import { comparedPart, joinWithin } from './in-bounds.js';
import { literalRegex } from './literal-regex.js';
import { pairsOf, type SnippetTarget } from './target.js';

const WHERE = 'Include it in a server block, then run `nginx -t` and reload.';
const REMOTE_ADDRESS =
  'Behind a CDN or load balancer, nginx sees that address instead of the client’s. Set `set_real_ip_from` and `real_ip_header`, or this blocks no client.';

/** Bytes of one quoted string. nginx allows 4,096 with the quotes (NGX_CONF_BUFFER), and refuses the whole configuration for a longer one. */
const MAX_STRING_BYTES = 4_000;

/** A quoted string: nginx removes a backslash before a quote or a backslash, and no other of ours (ngx_conf_read_token). */
const quoted = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

export const nginx: SnippetTarget = {
  name: 'nginx',
  blockIps: (addresses) => ({
    filename: 'loglane-block-ips.conf',
    count: addresses.length,
    text: addresses.map((address) => `deny ${address};\n`).join(''),
    notes: [
      WHERE,
      REMOTE_ADDRESS,
      'Locations with their own `allow` or `deny` do not inherit these: include it there, too.',
    ],
  }),
  blockBots: (impostors) => ({
    filename: 'loglane-block-bots.conf',
    count: pairsOf(impostors),
    text:
      impostors.length === 0
        ? ''
        : [
            'set $loglane_client "$remote_addr $http_user_agent";',
            ...impostors.flatMap(({ userAgentPart, addresses }) =>
              joinWithin(addresses.map(literalRegex), {
                separator: '|',
                around: ['^(?:', `) .*${literalRegex(comparedPart(userAgentPart))}`],
                most: MAX_STRING_BYTES,
              }).map((regex) => `if ($loglane_client ~* "${regex}") { return 403; }`),
            ),
            '',
          ].join('\n'),
    notes: [
      WHERE,
      REMOTE_ADDRESS,
      'Name and address are matched together, so the real crawler is not blocked.',
    ],
  }),
  gone(paths) {
    // nginx compares decoded paths. Two paths may decode to one, and duplicate locations are an error.
    const locations = [...new Set(paths.map(decodePath))].filter((path) => path !== null);
    return {
      filename: 'loglane-gone.conf',
      count: locations.length,
      text: locations.map((path) => `location = ${quoted(path)} { return 410; }\n`).join(''),
      notes: [WHERE, 'Remove paths that already have an exact `location =`: nginx accepts each only once.'],
    };
  },
};
