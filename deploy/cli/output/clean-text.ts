import { replaceHidden, visibleLine } from '../../../shared/visible-text.js';

/** Several lines for a terminal. */
export function cleanLines(text: string): string {
  return text.split('\n').map(visibleLine).join('\n');
}

/** JSON with the same values, whose text contains no character that a terminal would execute or hide. */
export function safeJson(value: unknown, indent?: number): string {
  // JSON.stringify escapes the line breaks of values; the others separate its own lines.
  return replaceHidden(JSON.stringify(value, null, indent), (character) =>
    character === '\n' ? character : escapeUnits(character),
  );
}

function escapeUnits(character: string): string {
  let escaped = '';
  for (let at = 0; at < character.length; at++)
    escaped += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return escaped;
}
