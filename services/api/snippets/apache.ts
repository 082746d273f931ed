import { inPieces } from '../../../shared/pacing/in-pieces.js';
import { decodePath } from './gone-paths.js';
import { comparedPart } from './in-bounds.js';
import { literalRegex } from './literal-regex.js';
import { pairsOf, type SnippetTarget } from './target.js';

const WHERE =
  'Include it in a virtual host or put it into .htaccess; then run `apachectl configtest` and reload.';
const REMOTE_ADDRESS =
  'Behind a CDN or load balancer, Apache sees that address instead of the client’s. Set up mod_remoteip, or this blocks no client.';

/** Addresses of one condition. */
const MAX_ADDRESSES = 50;

/** `<If>` is merged after all other sections and only if it matches, so it never opens anything that is forbidden elsewhere. */
const denyIf = (condition: string) => `<If "${condition}">\n    Require all denied\n</If>\n`;

const fromAny = (addresses: readonly string[]) => addresses.map((address) => `-R '${address}'`).join(' || ');

export const apache: SnippetTarget = {
  name: 'apache',
  blockIps: (addresses) => ({
    filename: 'loglane-block-ips.conf',
    count: addresses.length,
    text: inPieces(addresses, MAX_ADDRESSES)
      .map((group) => denyIf(fromAny(group)))
      .join(''),
    notes: [WHERE, REMOTE_ADDRESS],
  }),
  blockBots: (impostors) => ({
    filename: 'loglane-block-bots.conf',
    count: pairsOf(impostors),
    text: impostors
      .flatMap(({ userAgentPart, addresses }) =>
        inPieces(addresses, MAX_ADDRESSES).map((group) =>
          denyIf(
            userAgentPart === ''
              ? fromAny(group)
              : `%{HTTP_USER_AGENT} =~ m#${literalRegex(comparedPart(userAgentPart))}#i && (${fromAny(group)})`,
          ),
        ),
      )
      .join(''),
    notes: [
      WHERE,
      REMOTE_ADDRESS,
      'Name and address are matched together, so the real crawler is not blocked.',
    ],
  }),
  gone(paths) {
    // Apache compares decoded paths.
    const decoded = [...new Set(paths.map(decodePath))].filter((path) => path !== null);
    return {
      filename: 'loglane-gone.conf',
      count: decoded.length,
      text: decoded.map((path) => `RedirectMatch gone "^${literalRegex(path)}$"\n`).join(''),
      notes: [WHERE, 'It needs mod_alias, which is on by default. Rules of mod_rewrite run first.'],
    };
  },
};
