/** The request target and the host, told apart and written one way for every source. */

export interface Target {
  /** Path with query; see `RawRequest.target`. */
  readonly target: string;
  /** Host of an absolute target, else ''. */
  readonly host: string;
}

/** Splits an absolute-form target (`https://host/path?query`) into path and host; other targets stay as they are. */
export function splitHostFromTarget(text: string): Target {
  if (text.charCodeAt(0) === 47 /* / */) return { target: text, host: '' };
  const scheme = /^https?:\/\//i.exec(text);
  if (scheme === null) return { target: text, host: '' };
  const start = scheme[0].length;
  const length = text.slice(start).search(/[/?#]/);
  const end = length === -1 ? text.length : start + length;
  const authority = text.slice(start, end);
  const path = text.slice(end);
  return {
    target: path.startsWith('/') ? path : `/${path}`,
    host: normaliseHost(authority.slice(authority.lastIndexOf('@') + 1)),
  };
}

/** Characters that stand in no host: the text is something else, or a client's nonsense. */
const NO_HOST = /[\s\p{Cc}"'\\/<>|{}()^`@?#%,;=]/u;

/** Characters of names as most are written: lower case, and the dot between labels. */
const plainCharacters = new Uint8Array(128);
for (const character of 'abcdefghijklmnopqrstuvwxyz0123456789.-_')
  plainCharacters[character.charCodeAt(0)] = 1;

/** Lower case, without port, brackets and the root's dot; '' for what can be no host. */
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

const protocols = new Map([
  ['HTTP/1.1', 'HTTP/1.1'],
  ['HTTP/2.0', 'HTTP/2'],
  ['HTTP/2', 'HTTP/2'],
  ['HTTP/3.0', 'HTTP/3'],
  ['HTTP/3', 'HTTP/3'],
  ['HTTP/1.0', 'HTTP/1.0'],
  ['H2', 'HTTP/2'],
  ['H3', 'HTTP/3'],
]);

/** One spelling for each version: nginx writes HTTP/2.0 where CDNs write HTTP/2. */
export function normaliseProtocol(text: string): string {
  if (text === 'HTTP/1.1' || text === '') return text;
  return protocols.get(text) ?? protocols.get(text.toUpperCase()) ?? text;
}

/** A method as HTTP defines it (RFC 9110 §5.6.2 token), in upper case; '' where the text is none. */
export function normaliseMethod(text: string): string {
  if (text === 'GET' || text === 'POST' || text === 'HEAD') return text;
  return /^[A-Za-z][A-Za-z0-9_-]{0,31}$/.test(text) ? text.toUpperCase() : '';
}
