import { comparedPart } from './in-bounds.js';
import { literalRegex } from './literal-regex.js';
import { pairsOf, type SnippetTarget } from './target.js';

const WHERE =
  'Two VCL snippets: put the part above the line `# --- recv ---` into a snippet of type init, and the part below it into one of type recv.';

const RECV = '# --- recv ---\n';

/** Maximum bytes of a table key. */
const MAX_KEY_BYTES = 256;

const PLAIN = /[A-Za-z0-9 ./_-]/;

/** A short string of Fastly's VCL: `%xx` is a byte; all unusual characters are written this way. */
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
    notes: [WHERE, 'Name and address are matched together, so the real crawler is not blocked.'],
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
              `Paths left out: ${paths.length - fitting.length}. They have more than ${MAX_KEY_BYTES} bytes, the limit of a table key.`,
            ]
          : []),
      ],
    };
  },
};
