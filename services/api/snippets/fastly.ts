import { comparedPart } from './in-bounds.js';
import { literalRegex } from './literal-regex.js';
import { pairsOf, type SnippetTarget } from './target.js';

const WHERE =
  'Two VCL snippets: what stands above the line `# --- recv ---` goes into one of the type init, what stands below it into one of the type recv.';

const RECV = '# --- recv ---\n';

/** Of a key of a table, in bytes. */
const MAX_KEY_BYTES = 256;

const PLAIN = /[A-Za-z0-9 ./_-]/;

/** A short string of Fastly's VCL: `%xx` stands for a byte, and so is everything written that is not plain. */
const quoted = (text: string) =>
  `"${Array.from(new TextEncoder().encode(text), (byte) => {
    const character = String.fromCharCode(byte);
    return PLAIN.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('')}"`;

const acl = (name: string, addresses: readonly string[]) =>
  `acl ${name} {\n${addresses.map((address) => `  "${address}";\n`).join('')}}\n`;

export const fastly: SnippetTarget = {
  name: 'fastly',
  blockIps: (addresses) => ({
    filename: 'loglane-block-ips.vcl',
    count: addresses.length,
    text:
      addresses.length === 0
        ? ''
        : `${acl('loglane_blocked', addresses)}${RECV}if (client.ip ~ loglane_blocked) {\n  error 403 "Forbidden";\n}\n`,
    notes: [
      WHERE,
      'With shielding the condition `fastly.ff.visits_this_service == 0` keeps the check at the edge.',
    ],
  }),
  blockBots: (impostors) => ({
    filename: 'loglane-block-bots.vcl',
    count: pairsOf(impostors),
    text:
      impostors.length === 0
        ? ''
        : [
            ...impostors.map(({ addresses }, index) => acl(`loglane_impostor_${index}`, addresses)),
            RECV,
            ...impostors.map(
              ({ userAgentPart }, index) =>
                `if (client.ip ~ loglane_impostor_${index} && req.http.User-Agent ~ "(?i)${literalRegex(comparedPart(userAgentPart))}") {
  error 403 "Forbidden";
}
`,
            ),
          ].join(''),
    notes: [WHERE, 'Name and address are matched together, so that the real crawler is not met.'],
  }),
  gone(paths) {
    const fitting = paths.filter((path) => path.length <= MAX_KEY_BYTES);
    return {
      filename: 'loglane-gone.vcl',
      count: fitting.length,
      text:
        fitting.length === 0
          ? ''
          : `table loglane_gone {\n${fitting.map((path) => `  ${quoted(path)}: "1",\n`).join('')}}\n${RECV}if (table.contains(loglane_gone, req.url.path)) {\n  error 410 "Gone";\n}\n`,
      notes: [
        WHERE,
        ...(fitting.length < paths.length
          ? [
              `Paths left out: ${paths.length - fitting.length}. They have more than ${MAX_KEY_BYTES} bytes, and no table holds them.`,
            ]
          : []),
      ],
    };
  },
};
