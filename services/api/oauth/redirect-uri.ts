/** Addresses that a person is sent back to (RFC 8252, RFC 9700 §2.1). */

/** Characters of one address. */
const LONGEST_REDIRECT = 1_000;
/** A program on the person's own device: its port is only known when it listens. */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Schemes that a browser runs, shows or hands to another program than the client. */
const FOREIGN_SCHEMES: ReadonlySet<string> = new Set(
  'about blob chrome data edge file filesystem ftp intent itms-services jar javascript mailto mhtml moz-extension ms-its resource search search-ms shell sms ssh tel telnet vbscript view-source ws wss'.split(
    ' ',
  ),
);

/** Schemes that open any website in a browser: a person would see the name of a program instead of the website's. */
const BROWSERS =
  /^(?:ms-|chrome-|moz-|microsoft-edge|googlechrome|x-safari|firefox|opera|brave|vivaldi|feed$)/;

/** Why no person may be sent to this address; null: it is fine. */
export function faultOfRedirect(text: string): string | null {
  if (text.length > LONGEST_REDIRECT) return `it has more than ${LONGEST_REDIRECT} characters`;
  // Only what an address spells in ASCII: browsers and `new URL` read other characters differently.
  if (!/^[\x21-\x7e]+$/.test(text) || /["<>\\^`{|}]/.test(text)) return 'it has characters of no address';
  const url = urlOf(text);
  // A browser reads `https:name` as a path of the page that it is on.
  if (url === null || /^https?:(?!\/\/[^/])/i.test(text)) return 'it is no absolute address';
  if (text.includes('#')) return 'it has a fragment';
  const scheme = url.protocol.slice(0, -1);
  if (url.username !== '' || url.password !== '') return 'it has a user name or a password';
  if (scheme === 'https') return null;
  if (scheme === 'http')
    return LOOPBACK_HOSTS.has(url.hostname) ? null : 'http is only for the own device: use https';
  return FOREIGN_SCHEMES.has(scheme) || BROWSERS.test(scheme)
    ? `the scheme ${scheme} is no application's own`
    : null;
}

/** Whether a registered address allows this one: equal, but for the port of a loopback address (RFC 8252 §7.3). */
export function allowsRedirect(registered: readonly string[], asked: string): boolean {
  if (faultOfRedirect(asked) !== null) return false;
  return registered.some(
    (each) => each === asked || (isLoopback(each) && withoutPort(each) === withoutPort(asked)),
  );
}

function isLoopback(text: string): boolean {
  const url = urlOf(text);
  return url?.protocol === 'http:' && LOOPBACK_HOSTS.has(url.hostname);
}

/** As written, so that no two spellings of a path count as one. */
function withoutPort(text: string): string {
  return text.replace(/^(http:\/\/(?:\[::1\]|[^/?:[\]]+))(?::\d{1,5})?(?=[/?]|$)/, '$1');
}

/** For people: the host of a website, or the application's scheme. */
export function destinationOf(redirect: string): {
  readonly kind: 'website' | 'device';
  readonly name: string;
} {
  const url = new URL(redirect);
  if (url.protocol === 'https:') return { kind: 'website', name: url.host };
  return { kind: 'device', name: url.protocol === 'http:' ? url.host : url.protocol };
}

function urlOf(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
