import { decodedText } from '../detection/decoded-text.js';
import { isInjection } from '../detection/injection-marks.js';

/**
 * Classifies user agents by their form, independent of names. Apps append their name to the user agent of their web
 * view. Crawlers that render pages do the same, but they call themselves crawlers or give an address.
 */

/** Removes artefacts of copying: surrounding white space, and a pair of quotation marks or only the first of a pair. */
export function unwrapped(userAgent: string): string {
  const text = userAgent.trim();
  const quote = text[0];
  if (quote !== '"' && quote !== "'") return text;
  const isPair = text.length > 1 && text.endsWith(quote);
  return text.slice(1, isPair ? -1 : undefined).trim();
}

/** The word after Android's version is a device model, which may have any name. */
const DEVICE_MODEL = /\b(Android [\d.]+; (?:[a-z]{2}[-_][a-z]{2}; )?)(?:(?! AppleWebKit)[^;)])*/gi;

/** Removes the model name of an Android device, which says nothing about the client. */
export function withoutDeviceModel(userAgent: string): string {
  return userAgent.includes('Android ') ? userAgent.replace(DEVICE_MODEL, '$1') : userAgent;
}

/** Facebook’s apps may also send only the part of their web view. */
const ENGINE =
  /AppleWebKit|\bKHTML\b|\bGecko\/\d|\bTrident\/\d|\bPresto\/\d|\bMSIE \d|\bChrome\/\d|\bFirefox\/\d|\bFBAV\/\d/;
/** Internet Explorer and some small browsers of its time also contain "compatible". */
const COMPATIBLE = /\bcompatible;(?! ?(?:MSIE|Konqueror|ABrowse|U;))/i;
/** Words that occur only in names of programs. */
const SAYS_BOT =
  /bots?(?![a-z])|bot[-_]|crawler|spider(?![a-z])|slurp|nutch|headless|scrap(?:er|y|ing)(?![a-z])|fetcher|synthetics?(?![a-z])|\btime\/\d{10}/i;
/** These words also occur within names of apps for people: BabyMonitor, PriceChecker. */
const SAYS_BOT_ALONE = /\b(?:crawl|previews?|finder|checker|monitor(?:ing)?|(?<!user-)agent)\b/i;
/** A URL, a host with a path, a host in brackets, or an e-mail address. */
const ADDRESS =
  /https?:\/|\bwww\.|\+[a-z\d-]+\.[a-z]|@[a-z\d-]+\.[a-z]{2}|[a-z\d]\.[a-z]{2,6}\/[a-z]|\((?:[a-z\d-]+\.)+[a-z]{2,}\)/i;

/** Markup, templates and shell code, which no client has in its name. */
const CODE =
  /\$[{(]|\{\{|\(\) ?\{|<(?:script|svg|img|iframe|body|style|video|input|details|math)\b|<a href|<[!?%]|\.\.[\\/]|\/etc\/passwd|javascript:|\bjndi:|\| ?(?:curl|wget|nslookup|ping|id|whoami|cat)\b/;
/** Calls of database, script and shell functions. */
const CALL =
  /(?:sleep|benchmark|sysdate|extractvalue|updatexml|load_file|alert|prompt|confirm|eval|exec|system|passthru|phpinfo)\(/;
/** Every mark of an attack contains one of these; browsers rarely do. */
const SUSPECT = /[$<{'"`|%\\]|\.\.|\/etc|[a-z]\(|javascript:|jndi:|\b(?:or|and|select|sleep)\b/i;

/** Whether a user agent is the text of an attack: scanners put it into every header. */
export function isAttack(userAgent: string): boolean {
  if (!SUSPECT.test(userAgent)) return false;
  const text = decodedText(userAgent);
  return CODE.test(text) || CALL.test(text) || isInjection(text);
}

/** No product begins with a sign or with the name of the header. */
const NO_START = /^(?:[^\p{L}\p{N}[(]|user-agent:)/iu;
const BROWSER_START = /^mozilla(?:\/[45]\.0)?(?![\w./])/i;
/**
 * Products that every browser of an engine has, and parts of a platform. The Gecko date is constant since Firefox 5.
 */
const NO_PRODUCT =
  /\b(?:(?:Mozilla|AppleWebKit)\/[\d.]*|Gecko\/(?:20100101|\d{1,3}(?:\.\d+)*(?![\d.]))|Build\/[\w.-]*)/g;
/** Safari 3 and later also send their version. */
const LONE_SAFARI = /AppleWebKit\/(?!52)[5-9]\d\d[\d.+]* \(KHTML, like Gecko\) Safari\/[\d.]+$/;
/** A browser product, an engine in the comment, a web view on a phone, or a device that only sends its name. */
const PRODUCT = /\w\/\d|\bMSIE \d|\) Mobile\b|\b(?:PLAYSTATION|Nintendo|Roku|AppleTV|SMART-TV)\b/i;
const PLACEHOLDER = /\b(?:Chrome|Firefox)\/(?!\d)/;
/** Apple’s web views have no product of their own; on a phone the app’s name follows. Blink always sends 537.36. */
const WEB_VIEW =
  /AppleWebKit\/(?!537\.36)[\d.+]+ +\(KHTML, like Gecko\) ?[\w(]|\(Macintosh;[^()]*\) AppleWebKit\/(?!537\.36)[\d.+]+ \(KHTML, like Gecko\)/;

/**
 * Truncated, composed or copied from documentation: it begins like a browser’s but names no browser, or begins as no
 * client does.
 */
function isHalf(userAgent: string): boolean {
  if (NO_START.test(userAgent)) return true;
  if (!BROWSER_START.test(userAgent)) return false;
  if (PLACEHOLDER.test(userAgent) || LONE_SAFARI.test(userAgent)) return true;
  return !PRODUCT.test(userAgent.replace(NO_PRODUCT, '')) && !WEB_VIEW.test(userAgent);
}

/**
 * - browser: it has an engine, but no word of programs and no address. A name in it is a bot’s only if no app and no
 * device of people has this name.
 * - half: the beginning of a browser’s user agent, or an invented text.
 * - other: everything else.
 */
export type UserAgentForm = 'browser' | 'half' | 'other';

/** @param text of `withoutDeviceModel` */
export function formOf(text: string): UserAgentForm {
  if (COMPATIBLE.test(text) || SAYS_BOT.test(text) || SAYS_BOT_ALONE.test(text) || ADDRESS.test(text))
    return 'other';
  if (isHalf(text)) return 'half';
  return ENGINE.test(text) ? 'browser' : 'other';
}

const LONGEST_EMPTY = 64;
/** Placeholders that programs send for a missing value, and names of the header and of variables for it. */
const emptyWords = new Set([
  ...[
    'null',
    'undefined',
    'nan',
    'none',
    'nil',
    'true',
    'false',
    'n',
    'a',
    'na',
    'unknown',
    'empty',
    'blank',
  ],
  ...['not', 'set', 'available', 'provided', 'default', 'string', 'object', 'htmlelement', 'test', 'custom'],
  ...['your', 'my', 'http', 'request', 'headers', 'navigator', 'user', 'agent', 'useragent', 'ua', 'i', 's'],
]);

/** Whether a text is a placeholder for a missing user agent: `null`, `[object Object]`, `$http_user_agent`, `0`. */
export function isEmptyText(userAgent: string): boolean {
  if (userAgent.length > LONGEST_EMPTY) return false;
  const words = userAgent.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.every((word) => emptyWords.has(word) || /^\d+$/.test(word));
}

/** A product, a name with a version, or a comment. */
const CLIENT = /\w ?\/ ?\w|\w!? v?\d+\.\d|\(/;

/** Whether a text names a possible client. */
export function namesClient(text: string): boolean {
  return CLIENT.test(text);
}
