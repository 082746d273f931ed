import { type Random, type Sampler, shuffled, weighted, zipf } from './random.js';
import { type Resource, resource } from './resource.js';

export interface Product {
  page: Resource;
  images: Resource[];
  /** Its main category's first page. */
  listing: Resource;
}

/** What is sold, and what once was. */
export interface Catalogue {
  products: Product[];
  /** Products as popularity has it. */
  popularProduct: Sampler<Product>;
  /** First pages of the categories. */
  listings: Resource[];
  popularListing: Sampler<Resource>;
  /** Their further pages, sorted and filtered views: the crawl trap of every shop. */
  deepListings: Resource[];
  /** Products taken off the shop without a redirect: 404. */
  retired: Resource[];
  popularRetired: Sampler<Resource>;
  /** Addresses of the shop system before: 301 to today's product. */
  legacy: Resource[];
}

const PRODUCTS = 5_200;
const RETIRED = 640;
const LEGACY = 420;

const departments: Record<string, string[]> = {
  footwear: [
    'hiking-boots',
    'trail-shoes',
    'approach-shoes',
    'sandals',
    'winter-boots',
    'insoles',
    'gaiters',
  ],
  clothing: [
    'rain-jackets',
    'down-jackets',
    'fleece',
    'base-layers',
    'trousers',
    'shorts',
    'socks',
    'gloves',
  ],
  camping: ['tents', 'tarps', 'sleeping-bags', 'sleeping-mats', 'stoves', 'cookware', 'chairs', 'hammocks'],
  packs: ['daypacks', 'trekking-packs', 'duffels', 'dry-bags', 'hydration-packs', 'kids-packs'],
  climbing: ['harnesses', 'ropes', 'helmets', 'carabiners', 'crash-pads', 'chalk'],
  equipment: [
    'headlamps',
    'trekking-poles',
    'water-filters',
    'navigation',
    'knives',
    'first-aid',
    'power-banks',
  ],
  kids: ['jackets-kids', 'shoes-kids', 'tents-kids', 'carriers'],
};
const ranges = [
  'alpine',
  'nordic',
  'trail',
  'summit',
  'ridge',
  'fjord',
  'granite',
  'cedar',
  'storm',
  'ember',
];
const models = [
  'pro',
  'lite',
  'ii',
  'gtx',
  'mid',
  'low',
  'classic',
  'ultra',
  'eco',
  'x',
  'wool',
  'air',
  '40',
  '25',
];
const colours = ['black', 'moss', 'navy', 'rust', 'sand', 'glacier', 'plum', 'graphite'];

export function createCatalogue(random: Random): Catalogue {
  const categories = Object.entries(departments).flatMap(([department, names]) =>
    names.map((name) => ({ name, path: `/c/${department}/${name}` })),
  );
  const overview = Object.keys(departments).map((department) =>
    resource('listing', `/c/${department}`, 36_000, 180),
  );
  const leaves = categories.map(({ path }) => resource('listing', path, 42_000 + random.int(9_000), 210));
  const slugs = (count: number, id: (index: number) => number) =>
    Array.from({ length: count }, (_, index) => {
      const category = index % categories.length;
      const noun = categories[category]!.name.replace(/-kids$/, '').replace(/s$/, '');
      const words = [random.pick(ranges), random.pick(models), noun, random.pick(colours)];
      return { category, id: id(index), path: `/p/${words.join('-')}-${id(index)}` };
    });

  const products = slugs(PRODUCTS, (index) => 20_000 + index * 3).map(({ category, id, path }) => ({
    page: resource('product', path, 24_000 + random.int(16_000), 120 + random.int(80)),
    images: ['1-800', '2-800'].map((view) =>
      resource('image', `/media/products/${id}/${view}.webp`, 22_000 + random.int(60_000), 30),
    ),
    listing: leaves[category]!,
  }));
  const retired = slugs(RETIRED, (index) => 11_000 + index * 3).map(({ path }) =>
    resource('product', path, 0, 85, { status: 404 }),
  );
  const legacy = Array.from({ length: LEGACY }, (_, index) =>
    resource('product', `/product.php?id=${3_000 + index}`, 0, 12, {
      status: 301,
      location: random.pick(products).page,
    }),
  );
  return {
    products,
    popularProduct: zipf(shuffled(products, random)),
    listings: [...overview, ...leaves],
    popularListing: weighted([...overview, ...leaves], () => 0.3 + random.next() ** 2),
    deepListings: deepListings(leaves),
    retired,
    popularRetired: zipf(shuffled(retired, random)),
    legacy,
  };
}

/** Per category nine further pages, three orders, and colour and size filters alone and together. */
function deepListings(leaves: Resource[]): Resource[] {
  return leaves.flatMap(({ target }) => [
    ...Array.from({ length: 9 }, (_, page) => resource('listing', `${target}?page=${page + 2}`, 44_000, 260)),
    ...['price', 'newest', 'rating'].map((order) =>
      resource('listing', `${target}?sort=${order}`, 44_000, 340),
    ),
    ...colours.map((colour) => resource('search', `${target}?colour=${colour}`, 33_000, 520)),
    ...colours.flatMap((colour) =>
      ['s', 'm', 'l'].map((size) =>
        resource('search', `${target}?colour=${colour}&size=${size}`, 21_000, 690),
      ),
    ),
  ]);
}
