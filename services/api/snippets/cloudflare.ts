import { inPieces } from '../../../shared/pacing/in-pieces.js';
import { comparedPart, joinWithin } from './in-bounds.js';
import { pairsOf, type SnippetTarget } from './target.js';

/** Maximum characters of one expression (Cloudflare's Rules language, "Maximum rule expression length"). */
export const MAX_EXPRESSION = 4_096;

/** Addresses of one clause; at most 39 characters each. */
const MAX_ADDRESSES = 60;

/** A quoted string of the Rules language: quotes and backslashes are escaped with a backslash. */
const quoted = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

const expressions = (parts: readonly string[], separator: string, around: readonly [string, string]) =>
  joinWithin(parts, { separator, around, most: MAX_EXPRESSION }).join('\n\n');

const ONE_RULE_EACH = `Each paragraph is one expression (at most ${MAX_EXPRESSION} characters): make one custom rule for each under Security › WAF, in the expression editor.`;

export const cloudflare: SnippetTarget = {
  name: 'cloudflare',
  blockIps: (addresses) => ({
    filename: 'cloudflare-block-ips.txt',
    count: addresses.length,
    text: expressions(addresses, ' ', ['(ip.src in {', '})']),
    notes: [
      `${ONE_RULE_EACH} Action: Block.`,
      'For a longer list, use a list of the account (`ip.src in $name`).',
    ],
  }),
  blockBots: (impostors) => ({
    filename: 'cloudflare-block-bots.txt',
    count: pairsOf(impostors),
    text: expressions(
      impostors.flatMap(({ userAgentPart, addresses }) =>
        inPieces(addresses, MAX_ADDRESSES).map((group) => {
          const from = `ip.src in {${group.join(' ')}}`;
          return userAgentPart === ''
            ? `(${from})`
            : `(lower(http.user_agent) contains ${quoted(comparedPart(userAgentPart).toLowerCase())} and ${from})`;
        }),
      ),
      ' or ',
      ['', ''],
    ),
    notes: [
      `${ONE_RULE_EACH} Action: Block.`,
      'Name and address are matched together, so the real crawler is not blocked.',
    ],
  }),
  gone: (paths) => ({
    filename: 'cloudflare-gone.txt',
    count: paths.length,
    text: expressions(paths.map(quoted), ' ', ['(http.request.uri.path in {', '})']),
    notes: [
      `${ONE_RULE_EACH} Action: Block, with a custom response of status 410 (needs a paid plan).`,
      'Cloudflare normalises URLs before it compares them: a path with unusual percent-encoding may not match.',
    ],
  }),
};
