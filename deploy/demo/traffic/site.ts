import { createCatalogue } from './catalogue.js';
import { type Random, weighted } from './random.js';
import { type Resource, resource } from './resource.js';

/** All resources of the demo shop, with their costs. */
export type Site = ReturnType<typeof createSite>;

const searchTerms = [
  ...['hiking boots', 'rain jacket', 'tent 2 person', 'sleeping bag -10', 'merino base layer', 'headlamp'],
  ...['trekking poles', 'backpack 40l', 'gift card', 'wanderschuhe größe 44', 'sac à dos', 'mochila'],
];
const topics = [
  ...['how-to-pack-a-backpack', 'layering-in-winter', 'best-day-hikes', 'care-for-down', 'hut-to-hut'],
  ...['waterproof-your-tent', 'choosing-trail-shoes', 'first-night-outdoors', 'water-filters-compared'],
  ...['cooking-on-one-burner', 'blister-free', 'navigation-without-a-phone'],
];
const regions =
  'alps scotland pyrenees lake-district norway black-forest dolomites rockies tatra iceland wales corsica';
/** Guides that AI assistants name in their answers, most frequent first. */
const quoted = ['water-filters-compared-alps', 'waterproof-your-tent-scotland', 'blister-free-dolomites'];
const informationPages =
  'about contact delivery returns payment privacy terms imprint careers stores stores/london stores/berlin size-guide/shoes size-guide/jackets gift-cards repair-service';
const hires = 'tent kayak snowshoes via-ferrata-set rucksack stove avalanche-kit ski-poles';
const hireSizes = 'single double family alpine junior';
const CALENDAR_MONTHS = 144;
const themes = 'first-snow hut-to-hut by-the-sea city-rain night-trail family-camp high-route slow-river';

/** Lookbooks that search crawlers fetched when they were new. The sitemap lists them, but no page links to them. */
export const pastLookbooks = lookbooks('2025-autumn 2025-winter 2026-spring');

/** Lookbooks in the sitemap that no crawler has fetched. */
export const comingLookbooks = lookbooks('2027-spring');

function lookbooks(seasons: string): Resource[] {
  return pairs(seasons, themes).map(([season, theme]) =>
    resource('post', `/lookbook/${season}/${theme}`, 52_000, 110),
  );
}

export function createSite(random: Random) {
  return { ...createCatalogue(random), ...createPages(random), ...createHire(random), ...createFiles() };
}

function createPages(random: Random) {
  const guide = (name: string) =>
    resource('post', `/blog/${name}`, 18_000 + random.int(30_000), 70 + random.int(60));
  const quotedPosts = quoted.map(guide);
  const posts = topics
    .flatMap((topic) => regions.split(' ').map((region) => `${topic}-${region}`))
    .map((name) => quotedPosts[quoted.indexOf(name)] ?? guide(name));
  const personal = (path: string, bytes: number, latencyMs: number, status = 200) =>
    resource('private', path, bytes, latencyMs, { status });
  return {
    home: resource('home', '/', 31_000, 90),
    posts: [resource('post', '/blog', 26_000, 95), ...posts],
    quotedPost: weighted(quotedPosts, (_post, index) => 1 / (1 + index) ** 2),
    information: informationPages
      .split(' ')
      .map((name) => resource('information', `/${name}`, 9_000 + random.int(9_000), 45)),
    /** The shop's search, the slowest of the common pages. */
    searches: searchTerms.map((term) =>
      resource('search', `/search?q=${encodeURIComponent(term).replaceAll('%20', '+')}`, 24_000, 620),
    ),
    /** Rare and very slow pages. */
    slowPages: [
      resource('search', '/gift-finder', 41_000, 3_400),
      resource('search', '/outlet?sort=discount&page=1', 58_000, 2_300),
      resource('search', '/compare', 36_000, 1_700),
    ],
    cart: personal('/cart', 12_000, 160),
    addToCart: personal('/cart/add', 0, 140, 303),
    checkout: ['address', 'payment', 'review', 'thank-you'].map((step) =>
      personal(`/checkout/${step}`, 14_000, 240),
    ),
    /** Redirects visitors without a login. */
    account: personal('/account', 0, 40, 302),
    signIn: personal('/account/sign-in', 8_000, 70),
    orders: Array.from({ length: 900 }, (_, index) =>
      personal(`/account/orders/${100_400 + index * 7}`, 11_000, 180),
    ),
    health: personal('/healthz', 15, 6),
    stock: Array.from({ length: 300 }, (_, index) =>
      resource('api', `/api/stock/${1_000 + index * 11}`, 420, 35),
    ),
  };
}

/** Hire of equipment: a template that fails sometimes, and an endless calendar. */
function createHire(random: Random) {
  return {
    hires: pairs(hires, hireSizes).map(([thing, size]) =>
      resource('product', `/hire/${thing}-${size}-set`, 19_000 + random.int(4_000), 260, { failing: 0.35 }),
    ),
    /** Each month's page links to the next: a crawl trap. */
    hireCalendar: Array.from({ length: CALENDAR_MONTHS }, (_, index) => {
      const month = `${2_026 + Math.floor(index / 12)}/${String((index % 12) + 1).padStart(2, '0')}`;
      return resource('listing', `/hire/calendar/${month}`, 8_000, 190);
    }),
  };
}

function createFiles() {
  const release = (hash: string, status: number) =>
    ['css/shop', 'js/runtime', 'js/shop', 'js/product', 'css/print', 'js/checkout'].map((name) =>
      resource('asset', `/assets/${name}.${hash}.${name.split('/')[0]}`, 32_000, 25, { status }),
    );
  const document = (path: string, bytes: number, latencyMs: number) =>
    resource('document', path, bytes, latencyMs);
  return {
    /** Style sheets, scripts and fonts of every page. */
    assets: [
      ...release('9f31c2ab', 200),
      resource('asset', '/assets/fonts/inter-regular.woff2', 47_000, 20),
      resource('asset', '/assets/img/logo.svg', 3_900, 10),
    ],
    /** Assets of the previous release, which are missing after the deployment. */
    retiredAssets: release('4be07d15', 404),
    favicon: resource('asset', '/favicon.ico', 4_200, 10),
    /** Missing images that templates refer to. */
    brokenImages: [
      'badges/christmas-2024.png',
      'banners/old-summer-sale.jpg',
      'size-guide/old-table.png',
    ].map((name) => resource('image', `/media/${name}`, 0, 30, { status: 404 })),
    robots: document('/robots.txt', 640, 8),
    llms: document('/llms.txt', 2_900, 10),
    feed: document('/blog/feed.xml', 38_000, 120),
    sitemaps: ['', '-products-1', '-products-2', '-categories', '-blog'].map((part) =>
      document(`/sitemap${part}.xml`, part === '' ? 800 : 200_000, 300),
    ),
  };
}

function pairs(first: string, second: string): [string, string][] {
  return first.split(' ').flatMap((one) => second.split(' ').map((other): [string, string] => [one, other]));
}
