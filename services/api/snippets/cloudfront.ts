import type { Impostor, SnippetTarget } from './target.js';

/** Maximum bytes of a function's code (quotas of CloudFront Functions). */
export const MAX_FUNCTION_BYTES = 10_240;

const WHERE =
  'Publish it as a CloudFront function (runtime cloudfront-js-2.0) for viewer requests of the protected behaviours. A behaviour has at most one such function: if there is one, put the check at its beginning.';

/** A JavaScript string in ASCII: JSON with escapes for all other characters. */
const quoted = (text: string) =>
  JSON.stringify(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The code with as many entries as fit, in their order. */
function codeOf(entries: readonly string[], around: readonly [string, string]) {
  const [before, after] = around;
  let room = MAX_FUNCTION_BYTES - before.length - after.length;
  let fit = 0;
  for (const entry of entries) {
    room -= entry.length + ',\n    '.length;
    if (room < 0) break;
    fit += 1;
  }
  const text = fit === 0 ? '' : `${before}${entries.slice(0, fit).join(',\n    ')}${after}`;
  const notes =
    fit < entries.length
      ? [
          `It contains ${fit} of ${entries.length} entries: a function can have ${MAX_FUNCTION_BYTES} bytes. For more, use a key value store or AWS WAF.`,
        ]
      : [];
  return { text, fit, notes };
}

const refusal = (status: number, text: string) =>
  `return { statusCode: ${status}, statusDescription: '${text}' };`;

export const cloudfront: SnippetTarget = {
  name: 'cloudfront',
  blockIps(addresses) {
    const { text, fit, notes } = codeOf(addresses.map(quoted), [
      'var blocked = [\n    ',
      `\n];\n\nfunction handler(event) {\n    if (blocked.indexOf(event.viewer.ip) >= 0) ${refusal(403, 'Forbidden')}\n    return event.request;\n}\n`,
    ]);
    return { filename: 'loglane-block-ips.js', count: fit, text, notes: [WHERE, ...notes] };
  },
  blockBots(impostors) {
    const pairs = impostors.flatMap((impostor) => entriesOf(impostor));
    const { text, fit, notes } = codeOf(pairs, [
      'var impostors = [\n    ',
      `\n];\n\nfunction handler(event) {\n    var header = event.request.headers['user-agent'];\n    var userAgent = header ? header.value.toLowerCase() : '';\n    for (var i = 0; i < impostors.length; i++) {\n        if (impostors[i][1] === event.viewer.ip && userAgent.indexOf(impostors[i][0]) >= 0) ${refusal(403, 'Forbidden')}\n    }\n    return event.request;\n}\n`,
    ]);
    return {
      filename: 'loglane-block-bots.js',
      count: fit,
      text,
      notes: [WHERE, 'Name and address are matched together, so the real crawler is not blocked.', ...notes],
    };
  },
  gone(paths) {
    const { text, fit, notes } = codeOf(paths.map(quoted), [
      'var gone = [\n    ',
      `\n];\n\nfunction handler(event) {\n    if (gone.indexOf(event.request.uri) >= 0) ${refusal(410, 'Gone')}\n    return event.request;\n}\n`,
    ]);
    return { filename: 'loglane-gone.js', count: fit, text, notes: [WHERE, ...notes] };
  },
};

function entriesOf({ userAgentPart, addresses }: Impostor): string[] {
  return addresses.map((address) => `[${quoted(userAgentPart.toLowerCase())}, ${quoted(address)}]`);
}
