import { normaliseHost } from '../../../../shared/urls/normalise-host.js';

/** Separates the request target from the host, and normalises both for every source. */

export { normaliseHost };

export interface Target {
  /** Path with query; see `RawRequest.target`. */
  readonly target: string;
  /** Host of an absolute target, else ''. */
  readonly host: string;
}

/** Splits an absolute-form target (`https://host/path?query`) into path and host; other targets remain unchanged. */
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

/** A method as HTTP defines it (RFC 9110 §5.6.2 token), in upper case; '' for other text. */
export function normaliseMethod(text: string): string {
  if (text === 'GET' || text === 'POST' || text === 'HEAD') return text;
  return /^[A-Za-z][A-Za-z0-9_-]{0,31}$/.test(text) ? text.toUpperCase() : '';
}
