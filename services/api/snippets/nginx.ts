import { decodePath } from './gone-paths.js';
import { comparedPart, joinWithin } from './in-bounds.js';
import { literalRegex } from './literal-regex.js';
import { pairsOf, type SnippetTarget } from './target.js';

const WHERE = 'Include it in a server block, then run `nginx -t` and reload.';
const REMOTE_ADDRESS =
  'Behind a CDN or load balancer nginx sees its address: set `set_real_ip_from` and `real_ip_header`, or this blocks nobody.';

/** Of one quoted string. nginx takes 4,096 with the quotes (NGX_CONF_BUFFER), and refuses the whole configuration for a longer one. */
const MAX_STRING_BYTES = 4_000;

/** A quoted string: nginx takes a backslash before a quote or a backslash away, and nothing else of ours (ngx_conf_read_token). */
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
      'Locations with `allow` or `deny` of their own do not inherit these: include it there, too.',
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
      'Name and address are matched together, so that the real crawler is not met.',
    ],
  }),
  gone(paths) {
    // What nginx compares is decoded: two paths may be one, and a location may stand there once.
    const locations = [...new Set(paths.map(decodePath))].filter((path) => path !== null);
    return {
      filename: 'loglane-gone.conf',
      count: locations.length,
      text: locations.map((path) => `location = ${quoted(path)} { return 410; }\n`).join(''),
      notes: [
        WHERE,
        'A path that has an exact `location =` already must be taken out here: nginx takes each only once.',
      ],
    };
  },
};
