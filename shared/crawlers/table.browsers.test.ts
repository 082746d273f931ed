import { describe, expect, test } from 'vitest';
import { readAgents } from '../../test/user-agents/read-agents.js';
import { recogniseDevice } from '../requests/recognise-device.js';
import { loadCrawlerTable } from './load-table.js';
import { createCrawlerIdentifier } from './table.js';

const identify = createCrawlerIdentifier(loadCrawlerTable());

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const ios = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

/** User agents of people: desktop and mobile browsers, televisions, consoles, web views inside apps. */
const people = [
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/131.0.0.0 Safari/537.36`,
  `Mozilla/5.0 (Windows NT 6.1; WOW64) ${webkit} Chrome/109.0.5414.120 Safari/537.36`,
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Chrome/131.0.0.0 Safari/537.36`,
  `Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/131.0.0.0 Safari/537.36`,
  `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/131.0.0.0 Safari/537.36`,
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.2903.70`,
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/64.0.3282.140 Safari/537.36 Edge/18.17763`,
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/130.0.0.0 Safari/537.36 OPR/115.0.0.0`,
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/130.0.0.0 YaBrowser/24.12.0.0 Safari/537.36`,
  `Mozilla/5.0 (Windows NT 10.0; WOW64) ${webkit} Chrome/120.0.0.0 Safari/537.36 Vivaldi/6.5.3206.63`,
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/122.0.0.0 Safari/537.36 Brave/122`,
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/123.0.0.0 Safari/537.36 Avast/123.0.24730.123`,
  `Mozilla/5.0 (Windows NT 6.1; WOW64) ${webkit} Chrome/78.0.3904.108 Safari/537.36 QIHU 360SE`,
  `Mozilla/5.0 (Windows NT 10.0; WOW64) ${webkit} Chrome/94.0.4606.71 Safari/537.36 SE 2.X MetaSr 1.0`,
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:133.0) Gecko/20100101 Firefox/133.0',
  'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  'Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0',
  'Mozilla/5.0 (Windows NT 10.0; rv:115.0) Gecko/20100101 Firefox/115.0',
  'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko',
  'Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0; SLCC2; .NET CLR 2.0.50727)',
  'Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0)',
  'Opera/9.80 (Windows NT 6.1; WOW64) Presto/2.12.388 Version/12.18',
  'Opera/9.80 (Android; Opera Mini/75.0.2254/191.283; U; en) Presto/2.12.423 Version/12.16',
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${ios} Version/18.1 Safari/605.1.15`,
  `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${ios} Version/18.1 Mobile/15E148 Safari/604.1`,
  `Mozilla/5.0 (iPad; CPU OS 17_6 like Mac OS X) ${ios} Version/17.6 Mobile/15E148 Safari/604.1`,
  `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${ios} CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1`,
  `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${ios} FxiOS/133.0 Mobile/15E148 Safari/605.1.15`,
  `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${ios} EdgiOS/131.0.2903.68 Version/18.0 Mobile/15E148 Safari/604.1`,
  `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${ios} GSA/343.0.695551749 Mobile/15E148 Safari/604.1`,
  `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${ios} Version/18.1 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15`,
  `Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) ${ios} Mobile/15E148 Instagram 330.0.0.31.110 (iPhone15,2; iOS 17_4_1; en_US; en; scale=3.00; 1179x2556; 592114423)`,
  `Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) ${ios} Mobile/21E236 [FBAN/FBIOS;FBAV/460.0.0.34.109;FBBV/588471323;FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS;FBSV/17.4.1;FBSS/3;FBID/phone;FBLC/en_US;FBOP/5]`,
  `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${ios} Mobile/15E148 LinkedInApp`,
  `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${ios} Mobile/15E148 MicroMessenger/8.0.49(0x18003137) NetType/WIFI Language/en`,
  `Mozilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X) ${ios} Mobile/15E148 musical_ly_34.5.0 JsSdk/2.0 NetType/WIFI Channel/App Store ByteLocale/en`,
  `Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/131.0.0.0 Mobile Safari/537.36`,
  `Mozilla/5.0 (Linux; Android 14; SM-S918B) ${webkit} Chrome/130.0.6723.107 Mobile Safari/537.36`,
  `Mozilla/5.0 (Linux; Android 13; SM-X906B) ${webkit} Chrome/131.0.0.0 Safari/537.36`,
  `Mozilla/5.0 (Linux; Android 10; K) ${webkit} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`,
  `Mozilla/5.0 (Linux; Android 15; CPH2557 Build/AP3A.240617.008) ${webkit} Chrome/130.0.6723.107 Mobile Safari/537.36`,
  `Mozilla/5.0 (Linux; U; Android 12; en-US; RMX3085 Build/SP1A.210812.016) ${webkit} Version/4.0 Chrome/100.0.4896.58 UCBrowser/13.4.0.1306 Mobile Safari/537.36`,
  `Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UQ1A.240205.004; wv) ${webkit} Version/4.0 Chrome/121.0.6167.178 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/453.0.0.38.110;]`,
  `Mozilla/5.0 (Linux; Android 13; 2201117TG Build/TKQ1.221114.001; wv) ${webkit} Version/4.0 Chrome/119.0.6045.193 Mobile Safari/537.36 Instagram 309.1.0.41.113 Android (33/13; 440dpi; 1080x2177; Xiaomi/Redmi; 2201117TG; spes; qcom; en_GB; 541635890)`,
  `Mozilla/5.0 (Linux; Android 12; M2101K6G) ${webkit} Chrome/120.0.0.0 Mobile Safari/537.36 OPR/79.1.4195.76386`,
  `Mozilla/5.0 (Linux; arm_64; Android 13; SM-A525F) ${webkit} Chrome/120.0.0.0 YaBrowser/24.1.7.44.00 SA/3 Mobile Safari/537.36`,
  `Mozilla/5.0 (Linux; Android 9; KFMAWI) ${webkit} Silk/120.4.1 like Chrome/120.0.6099.230 Safari/537.36`,
  `Mozilla/5.0 (Linux; Android 10; HarmonyOS; ELS-AN00; HMSCore 6.13.0.302) ${webkit} Chrome/99.0.4844.88 HuaweiBrowser/14.0.5.301 Mobile Safari/537.36`,
  `Mozilla/5.0 (Linux; Android 13; V2227A) ${webkit} Chrome/87.0.4280.141 Mobile Safari/537.36 VivoBrowser/15.5.1.0`,
  `Mozilla/5.0 (Linux; Android 12; CUBOT_X18_Plus) ${webkit} Chrome/119.0.0.0 Mobile Safari/537.36`,
  `Mozilla/5.0 (Linux; Android 11; CUBOT NOTE 20) ${webkit} Chrome/110.0.0.0 Mobile Safari/537.36`,
  `Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.5) ${webkit} 85.0.4183.93/6.5 TV Safari/537.36`,
  `Mozilla/5.0 (Web0S; Linux/SmartTV) ${webkit} Chrome/94.0.4606.128 Safari/537.36 WebAppManager`,
  `Mozilla/5.0 (Linux; Android 9; AFTKA) ${webkit} Chrome/108.0.5359.160 Mobile Safari/537.36`,
  'Mozilla/5.0 (PlayStation; PlayStation 5/2.26) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.0 Safari/605.1.15',
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox One) ${webkit} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`,
  'Mozilla/5.0 (Nintendo Switch; WifiWebAuthApplet) AppleWebKit/609.4 (KHTML, like Gecko) NF/6.0.2.21.3 NintendoBrowser/5.1.0.22474',
  'Mozilla/5.0 (X11; U; Linux armv7l like Android; en-us) AppleWebKit/531.2+ (KHTML, like Gecko) Version/5.0 Safari/533.2+ Kindle/3.0+',
  `Mozilla/5.0 (Linux; Android 13; Quest 3) ${webkit} OculusBrowser/31.2.0 Chrome/120.0.6099.230 VR Safari/537.36`,
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Teams/24165.1414.2987.41 Chrome/124.0.0.0 Safari/537.36 Edg/124.0.0.0`,
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Slack/4.39.90 Chrome/124.0.6367.243 Electron/30.3.0 Safari/537.36`,
  'Dalvik/2.1.0 (Linux; U; Android 13; SM-G991B Build/TP1A.220624.014)',
];

test.each(people)('classifies a person as no bot: %s', (userAgent) => {
  expect(identify(userAgent)).toBeNull();
});

const onPhone = (app: string) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${ios} Mobile/15E148 ${app}`;
const onAndroid = (app: string) =>
  `Mozilla/5.0 (Linux; Android 15; SM-S928B Build/AP3A; wv) ${webkit} Version/4.0 Chrome/141.0.7390.70 Mobile Safari/537.36 ${app}`;
const onDesktop = (app: string) =>
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} ${app} Chrome/138.0.7204.243 Electron/37.3.1 Safari/537.36`;

describe('an app for people', () => {
  test.each([
    [onPhone('[Pinterest/iOS]'), 'Pinterest'],
    [onAndroid('[Pinterest/Android]'), 'Pinterest'],
    [onPhone('Snapchat/13.55.0.40 (like Safari/8621.3.11, panda)'), 'Snapchat'],
    [onAndroid('Snapchat/13.50.0.40 (SM-S928B; Android 15#S928B#35; gzip; )'), 'Snapchat'],
    [onAndroid('Viber/26.4.0.3'), 'Viber'],
    [onPhone('WhatsApp/2.25.30.74'), 'WhatsApp'],
    [onPhone('Tumblr/39.2'), 'Tumblr'],
    [onPhone('Bluesky/1.110'), 'Bluesky'],
    [onPhone('Mastodon/2.9'), 'Mastodon'],
    [onPhone('Flipboard/4.3.40/5390'), 'Flipboard'],
    [onPhone('Feedly/95.0'), 'Feedly'],
    [onPhone('NewsBlur iPhone App'), 'NewsBlur'],
    [onPhone('Spotify/9.0.80'), 'Spotify'],
    [onPhone('Overcast/2025.9'), 'Overcast'],
    [onPhone('Presearch/3.1'), 'Presearch'],
    [onPhone('Mail.RU/15.1'), 'Mail.ru'],
    [onPhone('Yahoo Mail'), 'Yahoo Mail'],
    [onPhone('MetaIAB Facebook'), 'Facebook'],
    [onPhone('[FBAN/MessengerForiOS;FBAV/530.0.0.30.107;FBDV/iPhone16,1;FBSV/18.6]'), 'Messenger'],
    [onAndroid('[FB_IAB/Orca-Android;FBAV/530.0.0.40.77;]'), 'Messenger'],
    [onAndroid('[FB_IAB/FB4A;FBAV/530.0.0.40.77;IABMV/1;]'), 'Facebook'],
    [onAndroid('Instagram 400.0.0.26.77 Android (35/15; 450dpi; 1080x2340; samsung; SM-S928B)'), 'Instagram'],
    [onAndroid('Barcelona 400.0.0.26.77 Android'), 'Threads'],
    [onAndroid('trill_410500 JsSdk/1.0 AppName/musical_ly BytedanceWebview/d8a21c6'), 'TikTok'],
    [onPhone('NewsArticle/9.9.9 JsSdk/2.0 ttwebview'), 'Toutiao'],
    [onPhone('[LinkedInApp]/9.31.1234'), 'LinkedIn'],
    [onPhone('Safari Line/15.14.0'), 'LINE'],
    [onPhone('MicroMessenger/8.0.62(0x18003e2f) NetType/WIFI Language/zh_CN'), 'WeChat'],
    [onPhone('Twitter for iPhone/11.20'), 'X'],
    [onPhone('ChatGPT/1.2025.280'), 'ChatGPT'],
    [onPhone('Perplexity/2.300'), 'Perplexity'],
    [onAndroid('xiaohongshu discover/8.50'), 'Xiaohongshu'],
    [onPhone('XHS/8.50 discover'), 'Xiaohongshu'],
    [onPhone('AliApp(DingTalk/7.6.0) com.laiwang.DingTalk/123 Channel/201200'), 'DingTalk'],
    [
      onPhone('NebulaSDK/1.8 Nebula AlipayDefined(nt:WIFI) AliApp(AP/10.5.36.6000) AlipayClient/10.5.36'),
      'Alipay',
    ],
    [onPhone('WindVane/8.7 AliApp(TB/10.26) UT4Aplus/0.0.6'), 'Taobao'],
    [onAndroid('AliApp(TM/12.1.0) WindVane/8.5.0'), 'Tmall'],
    [onAndroid('AliApp(LA/7.12.0) UCBS/2.11.1.1 WindVane/8.5.0'), 'Lazada'],
    [onAndroid('V1_AND_SQ_8.9.3_3034_YYB_D A_8090300 QQ/8.9.3.9135 NetType/WIFI'), 'QQ'],
    [onPhone('QQ/9.0.0.620 V1_IPH_SQ_9.0.0_1_APP_A'), 'QQ'],
    [onDesktop('Lark/7.10.6 LarkLocale/en_US'), 'Lark'],
    [onPhone('wxwork/4.1.10 MicroMessenger/7.0.1 Language/zh'), 'WeCom'],
    [onPhone('Nextdoor/6.30'), 'Nextdoor'],
    [onAndroid('Kwai/12.9.10.8962'), 'Kuaishou'],
    [onPhone('BiliApp/77400100 os/ios model/iPhone'), 'Bilibili'],
    [onPhone('jdapp;iPhone;13.1.0'), 'JD'],
    // omrilotan/isbot#308
    [onPhone('GoogleWv/1.0 (WKWebView) GeminiiOS/1.2026.2270600'), 'Gemini'],
    [onPhone('Copilot/30.0'), 'Copilot'],
    [onPhone('TruthSocial/200'), 'Truth Social'],
    [onPhone('Outlook-iOS/2.0'), 'Outlook'],
    [onDesktop('Cursor/1.7.17'), 'Cursor'],
    [onDesktop('Slack/4.46.99'), 'Slack'],
  ])('is a person, and the app is the browser: %s', (userAgent, app) => {
    expect(identify(userAgent)).toBeNull();
    expect(recogniseDevice(userAgent).browser).toBe(app);
  });

  test.each([
    ['Pinterest/0.2 (+https://www.pinterest.com/bot.html)', 'Pinterestbot'],
    [onAndroid('(compatible; Pinterestbot/1.0; +https://www.pinterest.com/bot.html)'), 'Pinterestbot'],
    ['Snapchat/13.55.0.40 (iPhone14,5; iOS 18.6; gzip)', 'Snap URL Preview'],
    ['Feedly/1.0 (+http://www.feedly.com/fetcher.html; like FeedFetcher-Google)', 'Feedly'],
    ['WhatsApp/2.23.20.0', 'WhatsApp'],
    [
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Chrome/141.0.0.0 Safari/537.36 Feedly preview`,
      'Feedly',
    ],
  ])('is a crawler if the same name has no browser, or declares itself one: %s', (userAgent, name) =>
    expect(identify(userAgent)?.name).toBe(name),
  );
});

describe('a word of everyday language', () => {
  const words = [
    'Odin/113.5672.9.8',
    'hyper',
    'Ruby',
    'Expanse',
    'Fluid/0.9.6',
    'Discovery',
    'Radar/1',
    'Synapse/1.0',
    'Shodan',
    'node',
    'SogouMSE,SogouMobileBrowser/6.1.5',
    'Devin/2',
    'Embedly',
  ];

  test.each(words)('is no bot after a browser: %s', (word) => {
    expect(
      identify(`Mozilla/5.0 (X11; Linux armv7l) ${webkit} Chrome/113.0.5672.128 Safari/537.36 ${word}`),
    ).toBeNull();
    expect(
      identify(`Mozilla/5.0 (Linux; Android 14; ${word}) ${webkit} Chrome/138.0.0.0 Mobile Safari/537.36`),
    ).toBeNull();
  });

  test.each([
    ['Odin; https://docs.getodin.com/', 'Odin'],
    ['Expanse, a Palo Alto Networks company', 'Expanse'],
    ['Ruby', 'Ruby'],
    ['hyper/1.0', 'reqwest'],
  ])('is one if no browser is named: %s', (userAgent, name) => expect(identify(userAgent)?.name).toBe(name));

  test.each([
    'Spider 8',
    'M bot 51',
    'XBot Junior',
    'VR BOT 552',
    'B BOT 550 Build/MRA58K; wv',
    'OCTOPUS-CORE T8 Build/PPR1.181005.003',
  ])('is no bot in the name of a device: %s', (model) =>
    expect(
      identify(`Mozilla/5.0 (Linux; Android 13; ${model}) ${webkit} Chrome/124.0.0.0 Mobile Safari/537.36`),
    ).toBeNull(),
  );
});

describe('browsers in the tests of other recognisers', () => {
  const calledBots = (agents: string[]) => agents.filter((agent) => identify(agent) !== null);

  test('of uap-core are people', () => {
    const agents = readAgents('browsers-uap-core.txt');
    expect(agents.length).toBeGreaterThan(100);
    expect(calledBots(agents)).toEqual([]);
  });

  test('that are often classified as bots are people', () => {
    const agents = readAgents('browsers-like-bots.txt');
    expect(agents.length).toBeGreaterThan(150);
    expect(calledBots(agents)).toEqual([]);
  });
});

describe('a bot word in the longer name of an app', () => {
  test.each([
    'BabyMonitor/3.1',
    'NetMonitorBrowser/1.0',
    'FlightMonitor Pro',
    'PriceChecker/2',
    'FriendFinder/3.1',
  ])('is a person’s: %s', (app) => {
    expect(identify(onPhone(app))).toBeNull();
    expect(identify(onAndroid(app))).toBeNull();
  });
  test.each([
    'RealEstateAgent/3.1',
    'SpiderMan/3.1',
    'SpiderSolitaire/1.4',
    'PubCrawl/2.0',
    'PreviewMaster/1.0',
  ])('is a person’s before the browser, too: %s', (app) => {
    expect(identify(onPhone(app))).toBeNull();
    expect(
      identify(`${app} Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/120.0.0.0 Safari/537.36`),
    ).toBeNull();
  });

  test.each([
    ['Site Monitor/1.0', 'Monitor'],
    ['AcmeCrawler/1.0', 'AcmeCrawler'],
    ['AcmeSpider/1.0', 'AcmeSpider'],
    ['AcmeBot/1.0', 'AcmeBot'],
    ['YottaaMonitor', 'YottaaMonitor'],
    ['GotSiteMonitor.com', 'GotSiteMonitor'],
    ['CybaaAgent', 'CybaaBot'],
    ['ProxyChecker/2.0', 'ProxyChecker'],
    ['MonitoRSS/1.0', 'MonitoRSS'],
  ])('is a bot’s if it is a whole word, a bot’s name or listed: %s', (token, name) => {
    const found = identify(
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36 ${token}`,
    );
    expect(found?.name).toContain(name);
  });
});
