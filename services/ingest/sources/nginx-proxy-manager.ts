import { openLayout } from './template/template.js';
import { readFormat } from './template/template-format.js';
import type { LineSource } from './util/source.js';

/** Access logs of Nginx Proxy Manager's hosts, in its two forms: docs/sources/nginx-proxy-manager.md. */
export const nginxProxyManager: LineSource = {
  name: 'nginx-proxy-manager',
  shape: 'lines',
  detect: (line) => BEGINNING.test(line.slice(0, LONGEST_BEGINNING)) && line.includes(' [Client '),
  open: () => {
    const utc = (shown: number) => shown;
    const proxied = openLayout(proxyForm, utc);
    const own = openLayout(standardForm, utc);
    return { parse: (line) => (isStandard(line) ? own : proxied).parse(line) };
  },
};

/** Text up to the method: the time, the statuses of the cache and of upstreams in the proxied form, and the status. */
const BEGINNING =
  /^\[\d\d\/[A-Z][a-z]{2}\/\d{4}:[\d:]{8} [+-]\d{4}\] (?:[A-Z-]{1,12} [\d,: -]{1,60} )?\d{3} - /;
const LONGEST_BEGINNING = 120;

const proxyForm = readFormat(
  '[$time_local] $upstream_cache_status $upstream_status $status - $request_method $scheme $host "$request_uri" [Client $remote_addr] [Length $body_bytes_sent] [Gzip $gzip_ratio] [Sent-to $server] "$http_user_agent" "$http_referer"',
);
const standardForm = readFormat(
  '[$time_local] $status - $request_method $scheme $host "$request_uri" [Client $remote_addr] [Length $body_bytes_sent] [Gzip $gzip_ratio] "$http_user_agent" "$http_referer"',
);

/**
 * Text before that of visitors decides the form: the standard one begins with `[time] 200 - `, the other has a
 * cache's status there.
 */
function isStandard(line: string): boolean {
  const at = line.indexOf('] ') + 2;
  return (
    isDigit(line, at) && isDigit(line, at + 1) && isDigit(line, at + 2) && line.startsWith(' - ', at + 3)
  );
}

function isDigit(line: string, at: number): boolean {
  const code = line.charCodeAt(at);
  return code >= 48 && code <= 57;
}
