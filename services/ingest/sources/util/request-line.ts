import { normaliseMethod, normaliseProtocol, splitHostFromTarget } from './target.js';

/** The first line of a request, as servers log it: `GET /path?query HTTP/1.1`. */
export interface RequestLine {
  readonly method: string;
  readonly target: string;
  readonly protocol: string;
  readonly host: string;
}

const malformed: RequestLine = { method: '', target: '', protocol: '', host: '' };

/**
 * Text that no HTTP client sends (TLS bytes on a plain port, '-', nothing) still counts as a request, because the
 * server answered and logged it. Its method and target are empty, so that no page's figures change.
 */
export function splitRequestLine(line: string): RequestLine {
  const first = line.indexOf(' ');
  if (first <= 0) return malformed;
  const method = normaliseMethod(line.slice(0, first));
  if (method === '') return malformed;
  const last = line.lastIndexOf(' ');
  const hasProtocol = last > first && line.startsWith('HTTP/', last + 1);
  const written = line.slice(first + 1, hasProtocol ? last : line.length);
  const { target, host } = splitHostFromTarget(written);
  const start = target.charCodeAt(0);
  if (start !== 47 /* / */ && start !== 42 /* * */ && (!hasProtocol || target === '')) return malformed;
  return { method, target, protocol: hasProtocol ? normaliseProtocol(line.slice(last + 1)) : '', host };
}
