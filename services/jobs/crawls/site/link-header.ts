/** Links in the headers of a response (RFC 8288). Pure. */

/** For all Link headers together. */
const LONGEST = 16_384;

/**
 * @param header the Link headers of a response, joined by commas
 * @returns the address of the first link with the relation canonical, as written: relative to the page's own address. null: none
 */
export function canonicalOfHeader(header: string | null): string | null {
  for (const link of split((header ?? '').slice(0, LONGEST), ',')) {
    const [target = '', ...parameters] = split(link, ';').map((part) => part.trim());
    if (!target.startsWith('<') || !target.endsWith('>')) continue;
    const named = parameters.map(readParameter);
    // The link has another context than the requested page (RFC 8288 §3.2).
    if (named.some(({ name }) => name === 'anchor')) continue;
    // Only the first rel counts (RFC 8288 §3.3).
    const rel = named.find(({ name }) => name === 'rel')?.value ?? '';
    if (rel.toLowerCase().split(/\s+/).includes('canonical')) return target.slice(1, -1).trim();
  }
  return null;
}

function readParameter(parameter: string): { name: string; value: string } {
  const equals = parameter.indexOf('=');
  if (equals < 0) return { name: parameter.toLowerCase(), value: '' };
  const value = parameter.slice(equals + 1).trim();
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
  return {
    name: parameter.slice(0, equals).trim().toLowerCase(),
    value: isQuoted ? value.slice(1, -1) : value,
  };
}

/** Splits at the separators outside addresses (`<…>`) and quotes. */
function split(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let from = 0;
  let until = '';
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]!;
    if (until !== '') {
      if (sign === '\\' && until === '"') at += 1;
      else if (sign === until) until = '';
    } else if (sign === '<') until = '>';
    else if (sign === '"') until = '"';
    else if (sign === separator) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}
