import { expect, test } from 'vitest';
import { recogniseDevice } from '../requests/recognise-device.js';
import { loadCrawlerTable } from './load-table.js';
import { createCrawlerIdentifier, UNKNOWN_CLIENT } from './table.js';

/** User agents of public reports about other recognisers, by issue. */

const identify = createCrawlerIdentifier(loadCrawlerTable());
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const ios = 'AppleWebKit/605.1.15 (KHTML,like Gecko)';

test.each([
  [
    'omrilotan/isbot#254',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) ${ios} Version/17.4.1 Mobile/15E148 Safari/605.1.15 NewsSapphire/1.0.420507003`,
    'Microsoft Start',
  ],
  [
    'omrilotan/isbot#257',
    `Mozilla/5.0 (Linux; Android 12; moto g(50) 5G Build/S1RSS32.38-20-9-13; wv) ${webkit} Version/4.0 Chrome/124.0.6367.180 Mobile Safari/537.36 Instagram 333.0.0.42.91 Android (31/12; 280dpi; 720x1462; motorola; moto g(50) 5G; saipan; mt6833; pt_BR; 604247853)`,
    'Instagram',
  ],
  [
    'omrilotan/isbot#269',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) ${ios} Mobile/15E148 Version/17.5.1 Safari/605.1.15 (AirWatch Browser v24.06)`,
    'Safari',
  ],
  [
    'omrilotan/isbot#308',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 26_5 like Mac OS X) ${ios} Mobile/15E148 GoogleWv/1.0 (WKWebView) GeminiiOS/1.2026.2270600`,
    'Gemini',
  ],
  [
    'omrilotan/isbot#314',
    '[FBAN/FB4A;FBAV/567.1.0.52.74;FBDM/{density=3.0,width=1080,height=2340};FBLC/nl_NL;FBMF/samsung;FBPN/com.facebook.katana;FBDV/SM-S921B;FBSV/16;FBCA/arm64-v8a:;]',
    'Facebook',
  ],
  ['josh/useragent#92', '"Mozilla/5.0 (X11; Linux x86_64; rv:9.0) Gecko/20100101 Firefox/9.0"', 'Firefox'],
  [
    'ua-parser/uap-core#523',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 15_5 like Mac OS X) ${ios} Mobile/15E148 Phantom/ios/22.06.17`,
    'Phantom',
  ],
  [
    'ua-parser/uap-core#651',
    `Mozilla/5.0 (Linux; Android 14; 23124RA7EO Build/UKQ1.231207.002; wv) ${webkit} Version/4.0 Chrome/144.0.7559.109 Mobile Safari/537.36 Barcelona 414.0.0.39.83 Android (34/14; 440dpi; 1080x2400; Xiaomi/Redmi)`,
    'Threads',
  ],
  [
    'browscap/browscap#2254',
    `Mozilla/5.0 (Linux; U; Android 10; zh-CN; GM1910 Build/QKQ1.190716.003) ${webkit} Version/4.0 Chrome/57.0.2987.108 UCBrowser/11.9.4.974 UWS/2.13.2.100 Mobile Safari/537.36 AliApp(DingTalk/5.0.6) com.alibaba.android.rimet/12765096`,
    'DingTalk',
  ],
  [
    'foroco/php-browser-detection#17',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 15_5 like Mac OS X) ${ios} Mobile/19F77 Ariver/1.1.0 AliApp(AP/10.2.65.8000) Nebula WK AlipayDefined(nt:WIFI,ws:375|748|3.0) AlipayClient/10.2.65.8000`,
    'Alipay',
  ],
  [
    'JayBizzle/Crawler-Detect#111',
    `Mozilla/5.0 (Linux; Android 5.1; Cosmos Build/LMY47I) ${webkit} Version/4.0 Chrome/39.0.0.0 Mobile Safari/537.36`,
    'Chrome',
  ],
])('%s: a person', (_, userAgent, browser) => {
  expect(identify(userAgent)).toBeNull();
  expect(recogniseDevice(userAgent).browser).toBe(browser);
});

test.each([
  ['josh/useragent#92', "'Mozilla/5.0", UNKNOWN_CLIENT],
  [
    'omrilotan/isbot#289',
    `Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/120.0.6099.199 Safari/537.36;OneTrust;`,
    'OneTrust',
  ],
  [
    'matomo-org/device-detector#6187',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 10_3 like Mac OS X) ${ios} CriOS/56.0.2924.75 Mobile/14E5239e Safari/602.1 RuxitSynthetic/1.0 v299304995 t7997095409838125115`,
    'Dynatrace',
  ],
  [
    'JayBizzle/Crawler-Detect#231',
    'Mozilla/5.0 (compatible; PRTG Network Monitor (www.paessler.com); Windows)',
    'PRTG',
  ],
  ['omrilotan/isbot#238', 'SpringBoard/50 CFNetwork/1240.0.4 Darwin/20.6.0', 'CFNetwork'],
])('%s: no person', (_, userAgent, name) => expect(identify(userAgent)?.name).toBe(name));
