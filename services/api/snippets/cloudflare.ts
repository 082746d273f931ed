import { inPieces } from '../../../shared/pacing/in-pieces.js';
import { comparedPart, joinWithin } from './in-bounds.js';
import { pairsOf, type SnippetTarget } from './target.js';

/** Characters of one expression (Cloudflare's Rules language, "Maximum rule expression length"). */
export const MAX_EXPRESSION = 4_096;

/** Of one clause; 39 characters each at most. */
const MAX_ADDRESSES = 60;

/** A quoted string of the Rules language: a backslash goes before a quote and a backslash. */
const quoted = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

const expressions = (parts: readonly string[], separator: string, around: readonly [string, string]) =>
  joinWithin(parts, { separator, around, most: MAX_EXPRESSION }).join('\n\n');

const ONE_RULE_EACH = `Each paragraph is one expression (of ${MAX_EXPRESSION} characters at most): make a custom rule of each under Security › WAF, in the expression editor.`;

export const cloudflare: SnippetTarget = {
  name: 'cloudflare',
  blockIps: (addresses) => ({
    filename: 'cloudflare-block-ips.txt',
    count: addresses.length,
    text: expressions(addresses, ' ', ['(ip.src in {', '})']),
    notes: [
      `${ONE_RULE_EACH} Action: Block.`,
      'A longer list is better kept as a list of the account (`ip.src in $name`).',
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
      'Name and address are matched together, so that the real crawler is not met.',
    ],
  }),
  gone: (paths) => ({
    filename: 'cloudflare-gone.txt',
    count: paths.length,
    text: expressions(paths.map(quoted), ' ', ['(http.request.uri.path in {', '})']),
    notes: [
      `${ONE_RULE_EACH} Action: Block, with a custom response of status 410 (a paid plan has it).`,
      'Cloudflare normalises URLs before it compares: a path with unusual percent-encoding may not be met.',
    ],
  }),
};
