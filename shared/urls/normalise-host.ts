/** Characters that are invalid in a host. */
const NO_HOST = /[\s\p{Cc}"'\\/<>|{}()^`@?#%,;=]/u;

/** The usual characters of names: lower case, and the dot between labels. */
const plainCharacters = new Uint8Array(128);
for (const character of 'abcdefghijklmnopqrstuvwxyz0123456789.-_')
  plainCharacters[character.charCodeAt(0)] = 1;

/** A host as in logs and filters: lower case, without port, brackets and the trailing dot; '' for an invalid host. */
export function normaliseHost(text: string): string {
  let colon = -1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 128 && plainCharacters[code] === 1) continue;
    if (code !== 58 /* : */ || colon !== -1) return normaliseAnyHost(text);
    colon = at;
  }
  return withoutRoot(colon === -1 ? text : text.slice(0, colon));
}

function normaliseAnyHost(text: string): string {
  let host = text.toLowerCase();
  if (NO_HOST.test(host)) return '';
  if (host.charCodeAt(0) === 91 /* [ */) {
    const end = host.indexOf(']');
    return end === -1 ? '' : host.slice(1, end);
  }
  const colon = host.indexOf(':');
  if (colon !== -1 && host.indexOf(':', colon + 1) === -1) host = host.slice(0, colon);
  return withoutRoot(host);
}

function withoutRoot(host: string): string {
  return host.charCodeAt(host.length - 1) === 46 /* . */ ? host.slice(0, -1) : host;
}
