import { type Catalogue, createCatalogue } from './catalogue.js';
import { createHire, type Hire } from './hire.js';
import type { Random } from './random.js';
import { type Resource, resource } from './resource.js';

/** Everything that the demo shop serves, with what it costs. Built once per run. */
export interface Site extends Catalogue, Hire {
  home: Resource;
  posts: Resource[];
  /** Guides that AI assistants name in their answers, the favourite first. */
  quotedPosts: Resource[];
  /** Imprint, delivery, size guides and the like. */
  information: Resource[];
  /** The shop's own search, the slowest of the everyday pages. */
  searches: Resource[];
  /** Seldom asked for and far too slow: what a slow-page report should bring up. */
  slowPages: Resource[];
  cart: Resource;
  addToCart: Resource;
  checkout: Resource[];
  /** Redirects visitors who are not signed in. */
  account: Resource;
  signIn: Resource;
  orders: Resource[];
  stock: Resource[];
  /** Style sheets, scripts and fonts of every page. */
  assets: Resource[];
  /** The same under the names of the release before; gone after the deployment. */
  retiredAssets: Resource[];
  favicon: Resource;
  /** Images that templates name and nobody uploaded. */
  brokenImages: Resource[];
  robots: Resource;
  llms: Resource;
  feed: Resource;
  sitemaps: Resource[];
  health: Resource;
}

const searchTerms = [
  'hiking boots',
  'rain jacket',
  'rain jacket women',
  'tent 2 person',
  'sleeping bag -10',
  'merino base layer',
  'headlamp',
  'gas stove',
  'trekking poles',
  'backpack 40l',
  'down jacket',
  'gaiters',
  'waterproof trousers',
  'trail running shoes',
  'map case',
  'gift card',
  'zelt',
  'wanderschuhe größe 44',
  'regenjacke damen',
  'sac à dos',
  'chaussures de randonnée',
  'mochila',
];

const postTopics = [
  'how-to-pack-a-backpack',
  'layering-in-winter',
  'best-day-hikes',
  'care-for-down',
  'waterproof-your-tent',
  'choosing-trail-shoes',
  'first-night-outdoors',
  'water-filters-compared',
  'hut-to-hut',
  'cooking-on-one-burner',
  'blister-free',
  'navigation-without-a-phone',
];
const postRegions = [
  'alps',
  'scotland',
  'pyrenees',
  'lake-district',
  'norway',
  'black-forest',
  'dolomites',
  'rockies',
  'tatra',
  'iceland',
  'wales',
  'corsica',
];

const informationPages = [
  '/about',
  '/contact',
  '/delivery',
  '/returns',
  '/payment',
  '/privacy',
  '/terms',
  '/imprint',
  '/careers',
  '/stores',
  '/stores/london',
  '/stores/berlin',
  '/stores/amsterdam',
  '/size-guide/shoes',
  '/size-guide/jackets',
  '/gift-cards',
  '/repair-service',
  '/sustainability',
];

const quoted = [
  '/blog/water-filters-compared-alps',
  '/blog/waterproof-your-tent-scotland',
  '/blog/choosing-trail-shoes-dolomites',
];

export function createSite(random: Random): Site {
  return { ...createCatalogue(random), ...createPages(random), ...createHire(random), ...createMachinery() };
}

function createPages(random: Random) {
  const posts = postTopics.flatMap((topic) =>
    postRegions.map((region) =>
      resource('post', `/blog/${topic}-${region}`, 18_000 + random.int(30_000), 70 + random.int(60)),
    ),
  );
  return {
    home: resource('home', '/', 31_000, 90),
    posts: [resource('post', '/blog', 26_000, 95), ...posts],
    quotedPosts: quoted.flatMap((path) => posts.filter(({ target }) => target === path)),
    information: informationPages.map((path) => resource('information', path, 9_000 + random.int(9_000), 45)),
    searches: searchTerms.map((term) =>
      resource('search', `/search?q=${encodeURIComponent(term).replaceAll('%20', '+')}`, 24_000, 620),
    ),
    slowPages: [
      resource('search', '/gift-finder', 41_000, 3_400),
      resource('search', '/outlet?sort=discount&page=1', 58_000, 2_300),
      resource('search', '/compare', 36_000, 1_700),
    ],
    cart: resource('private', '/cart', 12_000, 160),
    addToCart: resource('private', '/cart/add', 0, 140, { status: 303 }),
    checkout: ['/checkout/address', '/checkout/payment', '/checkout/review', '/checkout/thank-you'].map(
      (path) => resource('private', path, 14_000, 240),
    ),
    account: resource('private', '/account', 0, 40, { status: 302 }),
    signIn: resource('private', '/account/sign-in', 8_000, 70),
    orders: Array.from({ length: 900 }, (_, index) =>
      resource('private', `/account/orders/${100_400 + index * 7}`, 11_000, 180),
    ),
    stock: Array.from({ length: 300 }, (_, index) =>
      resource('api', `/api/stock/${1_000 + index * 11}`, 420, 35),
    ),
  };
}

const assetNames = ['css/shop', 'js/runtime', 'js/shop', 'js/product', 'css/print', 'js/checkout'];

function createMachinery() {
  const release = (hash: string) =>
    assetNames.map((name) => {
      const [folder, file] = name.split('/');
      return resource('asset', `/assets/${name}.${hash}.${folder}`, file === 'shop' ? 64_000 : 21_000, 25);
    });
  const fonts = ['inter-regular', 'inter-semibold'].map((name) =>
    resource('asset', `/assets/fonts/${name}.woff2`, 47_000, 20),
  );
  const sitemap = (name: string, bytes: number) => resource('document', `/${name}.xml`, bytes, 300);
  return {
    assets: [...release('9f31c2ab'), ...fonts, resource('asset', '/assets/img/logo.svg', 3_900, 10)],
    retiredAssets: release('4be07d15').map((asset) => ({ ...asset, status: 404 })),
    favicon: resource('asset', '/favicon.ico', 4_200, 10),
    brokenImages: [
      '/media/badges/christmas-2024.png',
      '/media/banners/old-summer-sale.jpg',
      '/apple-touch-icon-precomposed.png',
      '/media/size-guide/legacy-table.gif',
    ].map((path) => resource('image', path, 0, 30, { status: 404 })),
    robots: resource('document', '/robots.txt', 640, 8),
    llms: resource('document', '/llms.txt', 2_900, 10),
    feed: resource('document', '/blog/feed.xml', 38_000, 120),
    sitemaps: [
      sitemap('sitemap', 800),
      sitemap('sitemap-products-1', 410_000),
      sitemap('sitemap-products-2', 380_000),
      sitemap('sitemap-categories', 24_000),
      sitemap('sitemap-blog', 31_000),
    ],
    health: resource('private', '/healthz', 15, 6),
  };
}
