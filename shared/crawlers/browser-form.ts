import { decodedText } from '../detection/decoded-text.js';
import { isInjection } from '../detection/injection-marks.js';

/**
 * What the form of a user agent says, whatever names are in it. Apps of people append their name to the user agent of their web view.
 * Crawlers that render pages do the same, but they say that they are crawlers or give an address.
 */

/** Without what copies have around them: white space, and one pair of quotation marks or the first of a pair. */
export function unwrapped(userAgent: string): string {
  const text = userAgent.trim();
  const quote = text[0];
  if (quote !== '"' && quote !== "'") return text;
  const isPair = text.length > 1 && text.endsWith(quote);
  return text.slice(1, isPair ? -1 : undefined).trim();
}

/** The word after the version of Android names a device, and makers give devices any name. */
const DEVICE_MODEL = /\b(Android [\d.]+; (?:[a-z]{2}[-_][a-z]{2}; )?)(?:(?! AppleWebKit)[^;)])*/gi;

/** Drops the name of an Android device: no word of it names the client. */
export function withoutDeviceModel(userAgent: string): string {
  return userAgent.includes('Android ') ? userAgent.replace(DEVICE_MODEL, '$1') : userAgent;
}

/** Facebook’s apps also send the part of their web view alone. */
const ENGINE =
  /AppleWebKit|\bKHTML\b|\bGecko\/\d|\bTrident\/\d|\bPresto\/\d|\bMSIE \d|\bChrome\/\d|\bFirefox\/\d|\bFBAV\/\d/;
/** Internet Explorer and some small browsers of its time also call themselves compatible. */
const COMPATIBLE = /\bcompatible;(?! ?(?:MSIE|Konqueror|ABrowse|U;))/i;
/** Only programs have these in their names. */
const SAYS_BOT =
  /bots?(?![a-z])|bot[-_]|crawler|spider(?![a-z])|slurp|nutch|headless|scrap(?:er|y|ing)(?![a-z])|fetcher|synthetics?(?![a-z])|\btime\/\d{10}/i;
/** Apps of people have these in longer names: BabyMonitor, PriceChecker. */
const SAYS_BOT_ALONE = /\b(?:crawl|previews?|finder|checker|monitor(?:ing)?|(?<!user-)agent)\b/i;
/** A URL, a host with a path, a host in brackets, or an address of mail. */
const ADDRESS =
  /https?:\/|\bwww\.|\+[a-z\d-]+\.[a-z]|@[a-z\d-]+\.[a-z]{2}|[a-z\d]\.[a-z]{2,6}\/[a-z]|\((?:[a-z\d-]+\.)+[a-z]{2,}\)/i;

/** Markup, templates and shells: no client has them in its name. */
const CODE =
  /\$[{(]|\{\{|\(\) ?\{|<(?:script|svg|img|iframe|body|style|video|input|details|math)\b|<a href|<[!?%]|\.\.[\\/]|\/etc\/passwd|javascript:|\bjndi:|\| ?(?:curl|wget|nslookup|ping|id|whoami|cat)\b/;
/** Functions of databases, scripts and shells, called. */
const CALL =
  /(?:sleep|benchmark|sysdate|extractvalue|updatexml|load_file|alert|prompt|confirm|eval|exec|system|passthru|phpinfo)\(/;
/** Each mark of an attack has one of these, and hardly a browser has. */
const SUSPECT = /[$<{'"`|%\\]|\.\.|\/etc|[a-z]\(|javascript:|jndi:|\b(?:or|and|select|sleep)\b/i;

/** Whether a user agent is the text of an attack: scanners put it into every header. */
export function isAttack(userAgent: string): boolean {
  if (!SUSPECT.test(userAgent)) return false;
  const text = decodedText(userAgent);
  return CODE.test(text) || CALL.test(text) || isInjection(text);
}

/** No product begins with a sign, and none with the name of the header. */
const NO_START = /^(?:[^\p{L}\p{N}[(]|user-agent:)/iu;
const BROWSER_START = /^mozilla(?:\/[45]\.0)?(?![\w./])/i;
/** Products that every browser of an engine has, and parts of a platform. Since Firefox 5 the date of Gecko never changes. */
const NO_PRODUCT =
  /\b(?:(?:Mozilla|AppleWebKit)\/[\d.]*|Gecko\/(?:20100101|\d{1,3}(?:\.\d+)*(?![\d.]))|Build\/[\w.-]*)/g;
/** Safari 3 and later name their version, too. */
const LONE_SAFARI = /AppleWebKit\/(?!52)[5-9]\d\d[\d.+]* \(KHTML, like Gecko\) Safari\/[\d.]+$/;
/** A browser by its product, an engine in the comment, a web view on a phone, or a device that sends nothing but its name. */
const PRODUCT = /\w\/\d|\bMSIE \d|\) Mobile\b|\b(?:PLAYSTATION|Nintendo|Roku|AppleTV|SMART-TV)\b/i;
const PLACEHOLDER = /\b(?:Chrome|Firefox)\/(?!\d)/;
/** Apple’s web views name no product of their own; on a phone the app’s name follows. Blink stays at 537.36. */
const WEB_VIEW =
  /AppleWebKit\/(?!537\.36)[\d.+]+ +\(KHTML, like Gecko\) ?[\w(]|\(Macintosh;[^()]*\) AppleWebKit\/(?!537\.36)[\d.+]+ \(KHTML, like Gecko\)/;

/** It was cut, put together or copied from a manual: it begins as a browser’s and has no browser, or begins as no client does. */
function isHalf(userAgent: string): boolean {
  if (NO_START.test(userAgent)) return true;
  if (!BROWSER_START.test(userAgent)) return false;
  if (PLACEHOLDER.test(userAgent) || LONE_SAFARI.test(userAgent)) return true;
  return !PRODUCT.test(userAgent.replace(NO_PRODUCT, '')) && !WEB_VIEW.test(userAgent);
}

/**
 * browser: it has an engine, and neither says that a program asks nor gives an address. A name in it is a bot’s only where no app and
 * no device of people has this name. half: the beginning of a browser’s user agent, or an invented text. other: all the rest.
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
/** What programs send for a missing value, and how the header and variables for it are called. */
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

/** Whether a text stands for a missing user agent: `null`, `[object Object]`, `$http_user_agent`, `0`. */
export function isEmptyText(userAgent: string): boolean {
  if (userAgent.length > LONGEST_EMPTY) return false;
  const words = userAgent.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.every((word) => emptyWords.has(word) || /^\d+$/.test(word));
}

/** A product, a name with a version, or a comment. */
const CLIENT = /\w ?\/ ?\w|\w!? v?\d+\.\d|\(/;

/** Whether a text names anything that could have sent it. */
export function namesClient(text: string): boolean {
  return CLIENT.test(text);
}
