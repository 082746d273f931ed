import { type Sampler, weighted } from './random.js';

/** Device of a visitor: desktop, phone or tablet, or the app of a social network. */
export type Screen = 'desktop' | 'mobile' | 'inApp';

/** `$v` in the user agent is replaced by a version, newest first, and `$m` by one of the models. */
type Row = [screen: Screen, weight: number, userAgent: string, versions: string, models?: string[]];

const chromium = '155 154 153 152 151 150 149 144 138 131 109';
const firefox = '157 156 155 154 140 128 115';
const safari = '27.1 27.0 26.6 26.5 26.4 26.3 18.6 18.5 17.6 16.6';

const windows = 'Windows NT 10.0; Win64; x64';
const mac = 'Macintosh; Intel Mac OS X 10_15_7';
const linux = 'X11; Linux x86_64';
const android = 'Linux; Android 10; K';
const chrome = (platform: string, after = '') =>
  `Mozilla/5.0 (${platform}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/$v.0.0.0 ${after}`;
/** From iOS 26 on, Safari always names the same platform version. */
const ios = (device: string, product: string) =>
  `Mozilla/5.0 (${device} 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ${product}`;

/** Apps name device, system and language, so there is a long tail of user agents. */
const iphones = ['iPhone13,2', 'iPhone14,5', 'iPhone15,2', 'iPhone15,4', 'iPhone16,2', 'iPhone17,1'].flatMap(
  (device) =>
    'en_GB en_US de_DE fr_FR nl_NL'
      .split(' ')
      .map((locale) => `${device}; iOS 26_6; ${locale}; ${locale.replace('_', '-')}`),
);
const androids = [
  '13; SM-A536B Build/TP1A.220624.014',
  '14; SM-S911B Build/UP1A.231005.007',
  '15; Pixel 8 Build/BP1A.250505.005',
  '16; Pixel 9 Build/BP3A.250905.014',
  '12; M2007J20CG Build/SKQ1.211019.001',
];

/** User agents of people in late 2026. */
// biome-ignore format: a table reads best as a table
const rows: Row[] = [
  ['desktop', 42, chrome(windows, 'Safari/537.36'), chromium],
  ['desktop', 14, chrome(mac, 'Safari/537.36'), chromium],
  ['desktop', 3, chrome(linux, 'Safari/537.36'), chromium],
  ['desktop', 15, chrome(windows, 'Safari/537.36 Edg/$v.0.0.0'), chromium],
  ['desktop', 2.4, chrome(windows, 'Safari/537.36 OPR/138.0.0.0'), chromium],
  ['desktop', 7, `Mozilla/5.0 (${windows}; rv:$v.0) Gecko/20100101 Firefox/$v.0`, firefox],
  ['desktop', 4, 'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:$v.0) Gecko/20100101 Firefox/$v.0', firefox],
  ['desktop', 16, `Mozilla/5.0 (${mac}) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/$v Safari/605.1.15`, safari],
  ['mobile', 40, chrome(android, 'Mobile Safari/537.36'), chromium],
  ['mobile', 3, chrome(android, 'Safari/537.36'), chromium],
  ['mobile', 6, `Mozilla/5.0 (${android}) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/$v.0 Chrome/136.0.0.0 Mobile Safari/537.36`, '30 29 28 27'],
  ['mobile', 1.5, 'Mozilla/5.0 (Android 15; Mobile; rv:$v.0) Gecko/$v.0 Firefox/$v.0', firefox],
  ['mobile', 40, ios('iPhone; CPU iPhone OS', 'Version/$v Mobile/15E148 Safari/604.1'), safari],
  ['mobile', 3, ios('iPad; CPU OS', 'Version/$v Mobile/15E148 Safari/604.1'), safari],
  ['mobile', 4, ios('iPhone; CPU iPhone OS', 'CriOS/$v.0.7900.61 Mobile/15E148 Safari/604.1'), chromium],
  ['mobile', 4, ios('iPhone; CPU iPhone OS', 'GSA/$v.0.8410 Mobile/15E148 Safari/604.1'), '402 401 400 399'],
  ['inApp', 42, ios('iPhone; CPU iPhone OS', 'Mobile/22H124 Instagram $v.0.0.31.79 ($m; scale=3.00; 1179x2556)'), '428 427 426 419', iphones],
  ['inApp', 40, 'Mozilla/5.0 (Linux; Android $m; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/155.0.8012.60 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/$v.0.0.47.109;]', '538 537 536 529', androids],
];

/** Most people use the newest versions; some machines are never updated. */
const freshness = (rank: number) => 1 / (1 + rank) ** 1.3;

export function createBrowsers(): Record<Screen, Sampler<string>> {
  return { desktop: browsersOf('desktop'), mobile: browsersOf('mobile'), inApp: browsersOf('inApp') };
}

function browsersOf(screen: Screen): Sampler<string> {
  const all = rows
    .filter(([where]) => where === screen)
    .flatMap(([, weight, userAgent, versions, models = ['']]) =>
      versions.split(' ').flatMap((version, rank) =>
        models.map((model) => ({
          text: userAgent.replaceAll('$v', version).replace('$m', model),
          weight: (weight * freshness(rank)) / models.length,
        })),
      ),
    );
  const draw = weighted(all, ({ weight }) => weight);
  return (random) => draw(random).text;
}
