import fc from 'fast-check';
import type { Impostor } from '../../../services/api/snippets/target.js';
import { normaliseClientIp } from '../../../shared/reads/sql/client-ip.js';

/** Characters with which an attacker could break out of a configuration. */

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: what somebody may send
const hostileCharacters = fc.constantFrom(
  ...'"\'\\`${}()[]<>#;:,*?|^&%=!~@/. \t\n\r\0',
  '\u2028',
  'é',
  '💣',
  '\ud800',
  '"}',
  '*/',
  '</If>',
  '#{',
  '${HOME}',
  '%{ENV:PATH}',
  '\n}\n',
  '\r\nUser-agent: *\r\nDisallow: /',
  '"; return 200; #',
);
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: what somebody may send

const hostileText = fc
  .array(fc.oneof(hostileCharacters, fc.constantFrom('a', 'Z', '7', 'bot')), { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join(''));

/** In the forms of a log: raw, percent-encoded, or both. */
const hostilePath = fc
  .array(
    fc.oneof(
      hostileText,
      hostileText.map((text) => encodeURIComponent(text.replaceAll('\ud800', '?'))),
      fc.constantFrom(
        '%',
        '%2',
        '%2F',
        '%2f',
        '%00',
        '%0a',
        '%61',
        '%ff',
        '/..',
        '//',
        'page',
        '%C3%A9',
        '%22',
        '%5C',
      ),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => `/${parts.join('')}`);

const address = fc.oneof(
  fc.ipV4(),
  fc.ipV6().map((text) => normaliseClientIp(text) ?? '192.0.2.1'),
);

export const addressLists = fc.uniqueArray(address, { minLength: 1, maxLength: 500 });

export const impostorLists: fc.Arbitrary<Impostor[]> = fc.array(
  fc.record({
    name: hostileText,
    userAgentPart: fc.oneof(hostileText, fc.constant('')),
    addresses: fc.uniqueArray(address, { minLength: 1, maxLength: 80 }),
    realOneSeen: fc.boolean(),
    isSearchCrawler: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
);

const segment = fc
  .string({
    unit: fc.constantFrom(..."abcXYZ019-_~!$&'()*+,;=:@", '.x', '%20', '%22', '%5C', '%7B', '%C3%A9', '%25'),
    minLength: 1,
    maxLength: 8,
  })
  .map((text) => `p${text}`);

/** All characters that a path may contain. */
export const usualPath = fc
  .array(segment, { minLength: 1, maxLength: 4 })
  .map((parts) => `/${parts.join('/')}`);

export const pathLists = fc.array(fc.oneof(hostilePath, usualPath), { minLength: 1, maxLength: 40 });

/** Runs of a property. Each run reads configurations with hundreds of entries back. */
export const runs = { numRuns: 150 };
