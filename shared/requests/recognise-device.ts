import Bowser from 'bowser';
import type { DeviceType } from './enriched-request.js';
import { inAppBrowser } from './in-app-browsers.js';

export interface Device {
  /** e.g. Chrome, Safari, or the app of the web view, e.g. Instagram; 'Other' if unknown; '' for bots. */
  readonly browser: string;
  /** e.g. Windows, iOS; 'Other' or '' likewise. */
  readonly os: string;
  readonly device_type: DeviceType;
}

export const botDevice: Device = Object.freeze({ browser: '', os: '', device_type: 'bot' });

/** Only names that the library knows: for unknown user agents it invents an unlimited number of others. */
const knownBrowsers = new Set<string>(Object.values(Bowser.BROWSER_MAP));

/**
 * Words by which the library recognises bots. It finds them anywhere, even in names of phones (TECNO PHANTOM) and of
 * apps. Only user agents of people are passed here.
 */
const BOT_WORDS =
  /googlebot|linespider|amazonbot|gptbot|chatgpt-user|oai-searchbot|baiduspider|bingbot|duckduckbot|claude(?:bot|-web|-user|-searchbot)|omgilibot|webzio-extended|diffbot|perplexity(?:bot|-user)|youbot|ia_archiver|meta-(?:webindexer|external(?:ads|agent|fetcher))|facebook(?:externalhit|catalog)|slack(?:bot|-imgproxy)|yahoo|yandex(?:mobile)?bot|pingdom|phantom|slimerjs/gi;

const CONSOLE = /\b(?:Xbox|PlayStation|Nintendo)\b/;
const WEARABLE = /\bwear ?os\b|\bSM-R\d{3}|\bWatch(?:OS)?\b/i;
const TV =
  /\b(?:SMART-TV|SmartTV|Smart TV|AppleTV|GoogleTV|Android TV|HbbTV|NetCast|BRAVIA|CrKey|Roku|AFT[A-Z]\w*|Web0S|webOS\.TV)\b/i;

/** Browser, system and device type of a person's user agent. Takes 8 to 15 µs, so cache it. */
export function recogniseDevice(userAgent: string): Device {
  // Replaced by a sign, so that the text around a word does not form another one.
  const { browser, os, platform } = Bowser.parse(userAgent.replace(BOT_WORDS, '_'));
  return {
    browser: inAppBrowser(userAgent) ?? browserOf(browser.name),
    os: systemOf(userAgent, os.name),
    device_type: typeOf(userAgent, platform.type, os.name),
  };
}

function browserOf(name: string | undefined): string {
  return name !== undefined && knownBrowsers.has(name) ? name : 'Other';
}

function systemOf(userAgent: string, name: string | undefined): string {
  if (/\bPlayStation\b/.test(userAgent)) return 'PlayStation';
  if (/\bNintendo\b/.test(userAgent)) return 'Nintendo';
  return name === undefined || name === '' ? 'Other' : name;
}

/** The library recognises no consoles or wearables, and not every television. */
function typeOf(userAgent: string, type: string | undefined, os: string | undefined): DeviceType {
  if (CONSOLE.test(userAgent)) return 'console';
  if (WEARABLE.test(userAgent)) return 'wearable';
  if (TV.test(userAgent)) return 'tv';
  if (type === 'desktop' || type === 'mobile' || type === 'tablet' || type === 'tv') return type;
  // The library takes some apps for crawlers.
  if (/\bMobile\//.test(userAgent)) return 'mobile';
  return os === 'Chrome OS' || os === 'Linux' ? 'desktop' : 'other';
}
