import { type Sampler, weighted } from './random.js';

/**
 * User agents of people in late 2026: reduced Chromium strings, frozen Safari platforms, and the long
 * tail that in-app browsers make by naming device, build and language.
 */
export interface Browsers {
  desktop: Sampler<string>;
  mobile: Sampler<string>;
  /** Opened from a link inside a social network's app. */
  inApp: Sampler<string>;
}

type Weighted = [userAgent: string, weight: number];

const chromium = [155, 154, 153, 152, 151, 150, 149, 144, 138, 131, 109];
/** Most people are on the newest versions; some machines are never updated. */
const freshness = (rank: number) => 1 / (1 + rank) ** 1.3;

const windows = 'Windows NT 10.0; Win64; x64';
const mac = 'Macintosh; Intel Mac OS X 10_15_7';
const linux = 'X11; Linux x86_64';
const chromeOs = 'X11; CrOS x86_64 14541.0.0';
const chrome = (platform: string, version: number, suffix = '') =>
  `Mozilla/5.0 (${platform}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36${suffix}`;
const chromeMobile = (version: number, suffix = '') =>
  `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Mobile Safari/537.36${suffix}`;

function desktopBrowsers(): Weighted[] {
  const firefox = [157, 156, 155, 154, 140, 128, 115];
  const safari = ['27.1', '27.0', '26.6', '26.5', '26.4', '26.3', '18.6', '18.5', '17.6', '16.6'];
  return [
    ...chromium.flatMap((version, rank): Weighted[] => [
      [chrome(windows, version), 42 * freshness(rank)],
      [chrome(mac, version), 14 * freshness(rank)],
      [chrome(linux, version), 3 * freshness(rank)],
      [chrome(chromeOs, version), 1.5 * freshness(rank)],
      [chrome(windows, version, ` Edg/${version}.0.0.0`), 15 * freshness(rank)],
      [chrome(mac, version, ` Edg/${version}.0.0.0`), 1.2 * freshness(rank)],
      [chrome(windows, version - 1, ` OPR/${version - 16}.0.0.0`), 2.4 * freshness(rank)],
    ]),
    ...firefox.flatMap((version, rank) =>
      [windows, 'Macintosh; Intel Mac OS X 10.15', 'X11; Ubuntu; Linux x86_64', linux].map(
        (platform, place): Weighted => [
          `Mozilla/5.0 (${platform}; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`,
          (7 * freshness(rank)) / (1 + place),
        ],
      ),
    ),
    ...safari.map(
      (version, rank): Weighted => [
        `Mozilla/5.0 (${mac}) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Safari/605.1.15`,
        16 * freshness(rank),
      ],
    ),
  ];
}

/** [iOS in the platform token, Safari's version]: the platform is frozen at 18_7 from iOS 26 on. */
const iosVersions: [string, string][] = [
  ['18_7', '27.1'],
  ['18_7', '27.0'],
  ['18_7', '26.6'],
  ['18_7', '26.5'],
  ['18_6', '26.4'],
  ['18_6', '26.2'],
  ['18_6_2', '18.6'],
  ['18_5', '18.5'],
  ['18_3_2', '18.3.1'],
  ['17_7', '17.7'],
  ['17_6_1', '17.6'],
  ['16_7_11', '16.6'],
  ['15_8_4', '15.6.6'],
];

function mobileBrowsers(): Weighted[] {
  const androidFirefox = [157, 156, 155, 152];
  return [
    ...chromium.flatMap((version, rank): Weighted[] => [
      [chromeMobile(version), 40 * freshness(rank)],
      [chromeMobile(version, ` EdgA/${version}.0.0.0`), 0.8 * freshness(rank)],
      [chromeMobile(version, ` OPR/${version - 60}.0.0.0`), 1 * freshness(rank)],
      // Tablets leave out "Mobile".
      [chrome('Linux; Android 10; K', version), 3 * freshness(rank)],
    ]),
    ...[30, 29, 28, 27].map(
      (version, rank): Weighted => [
        `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/${version}.0 Chrome/${136 + version - 28}.0.0.0 Mobile Safari/537.36`,
        6 * freshness(rank),
      ],
    ),
    ...androidFirefox.map(
      (version, rank): Weighted => [
        `Mozilla/5.0 (Android 15; Mobile; rv:${version}.0) Gecko/${version}.0 Firefox/${version}.0`,
        1.5 * freshness(rank),
      ],
    ),
    ...iosVersions.flatMap(([platform, version], rank): Weighted[] => [
      [iosSafari('iPhone; CPU iPhone OS', platform, `Version/${version}`), 40 * freshness(rank)],
      [iosSafari('iPad; CPU OS', platform, `Version/${version}`), 3 * freshness(rank)],
      ...chromium
        .slice(0, 5)
        .map(
          (chromeVersion): Weighted => [
            iosSafari('iPhone; CPU iPhone OS', platform, `CriOS/${chromeVersion}.0.${7_900 + rank}.61`),
            1.2 * freshness(rank),
          ],
        ),
      [iosSafari('iPhone; CPU iPhone OS', platform, `FxiOS/${157 - rank}.0`), 0.5 * freshness(rank)],
      [iosSafari('iPhone; CPU iPhone OS', platform, `GSA/40${rank}.0.8410`), 4 * freshness(rank)],
    ]),
  ];
}

function iosSafari(device: string, platform: string, product: string): string {
  return `Mozilla/5.0 (${device} ${platform} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ${product} Mobile/15E148 Safari/604.1`;
}

function inAppBrowsers(): Weighted[] {
  const iphones = [
    'iPhone13,2',
    'iPhone14,5',
    'iPhone15,2',
    'iPhone15,4',
    'iPhone16,2',
    'iPhone17,1',
    'iPhone18,2',
  ];
  const locales = ['en_GB', 'en_US', 'de_DE', 'fr_FR', 'nl_NL', 'es_ES'];
  const androids = [
    ['13', 'SM-A536B', 'TP1A.220624.014'],
    ['14', 'SM-S911B', 'UP1A.231005.007'],
    ['15', 'SM-S928B', 'AP3A.240905.015.A2'],
    ['15', 'Pixel 8', 'BP1A.250505.005'],
    ['16', 'Pixel 9', 'BP3A.250905.014'],
    ['14', '2201116SG', 'UKQ1.231003.002'],
    ['13', 'moto g54 5G', 'T1TDS33H.52'],
    ['12', 'M2007J20CG', 'SKQ1.211019.001'],
  ] as const;
  const apps = [428, 427, 426, 419];
  return apps.flatMap((app, rank) => [
    ...iphones.flatMap((device) =>
      locales.map(
        (locale): Weighted => [
          `Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22H124 Instagram ${app}.0.0.31.79 (${device}; iOS 26_6; ${locale}; ${locale.replace('_', '-')}; scale=3.00; 1179x2556; 7${app}18331)`,
          freshness(rank),
        ],
      ),
    ),
    ...androids.map(
      ([version, model, build]): Weighted => [
        `Mozilla/5.0 (Linux; Android ${version}; ${model} Build/${build}; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/${155 - rank}.0.8012.${60 + rank} Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/${app + 110}.0.0.47.109;]`,
        5 * freshness(rank),
      ],
    ),
  ]);
}

function sampler(entries: Weighted[]): Sampler<string> {
  const draw = weighted(entries, ([, weight]) => weight);
  return (random) => draw(random)[0];
}

export function createBrowsers(): Browsers {
  return {
    desktop: sampler(desktopBrowsers()),
    mobile: sampler(mobileBrowsers()),
    inApp: sampler(inAppBrowsers()),
  };
}
