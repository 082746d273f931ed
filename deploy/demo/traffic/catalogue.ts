import { type Random, shuffled, weighted, zipf } from './random.js';
import { type Resource, resource } from './resource.js';

export interface Product {
  page: Resource;
  images: Resource[];
  /** Its main category's first page. */
  listing: Resource;
}

const PRODUCTS = 5_200;
const RETIRED = 640;
const LEGACY = 420;

const departments = {
  footwear: 'hiking-boots trail-shoes approach-shoes sandals winter-boots insoles gaiters',
  clothing: 'rain-jackets down-jackets fleece base-layers trousers shorts socks gloves',
  camping: 'tents tarps sleeping-bags sleeping-mats stoves cookware chairs hammocks',
  packs: 'daypacks trekking-packs duffels dry-bags hydration-packs kids-packs',
  climbing: 'harnesses ropes helmets carabiners crash-pads chalk',
  equipment: 'headlamps trekking-poles water-filters navigation knives first-aid power-banks',
  kids: 'jackets-kids shoes-kids tents-kids carriers',
};
const ranges = 'alpine nordic trail summit ridge fjord granite cedar storm ember'.split(' ');
const models = 'pro lite ii gtx mid low classic ultra eco x wool air 40 25'.split(' ');
const colours = 'black moss navy rust sand glacier plum graphite'.split(' ');

/** Current and former products. */
export function createCatalogue(random: Random) {
  const categories = Object.entries(departments).flatMap(([department, names]) =>
    names.split(' ').map((name) => ({ name, path: `/c/${department}/${name}` })),
  );
  const overview = Object.keys(departments).map((name) => resource('listing', `/c/${name}`, 36_000, 180));
  const leaves = categories.map(({ path }) => resource('listing', path, 42_000 + random.int(9_000), 210));
  const listings = [...overview, ...leaves];
  const pathOf = (index: number, id: number) => {
    const noun = categories[index % categories.length]!.name.replace(/-kids$/, '').replace(/s$/, '');
    return `/p/${random.pick(ranges)}-${random.pick(models)}-${noun}-${random.pick(colours)}-${id}`;
  };

  const products = Array.from({ length: PRODUCTS }, (_, index): Product => {
    const id = 20_000 + index * 3;
    return {
      page: resource('product', pathOf(index, id), 24_000 + random.int(16_000), 120 + random.int(80)),
      images: [1, 2].map((view) =>
        resource('image', `/media/products/${id}/${view}-800.webp`, 22_000 + random.int(60_000), 30),
      ),
      listing: leaves[index % leaves.length]!,
    };
  });
  const retired = Array.from({ length: RETIRED }, (_, index) =>
    resource('product', pathOf(index, 11_000 + index * 3), 0, 85, { status: 404 }),
  );
  return {
    products,
    popularProduct: zipf(shuffled(products, random)),
    /** First pages of the categories. */
    listings,
    popularListing: weighted(listings, () => 0.3 + random.next() ** 2),
    deepListings: leaves.flatMap(deepListings),
    /** Products that were removed without a redirect. */
    retired,
    popularRetired: zipf(shuffled(retired, random)),
    /** URLs of the former shop system; each redirects to a current product. */
    legacy: Array.from({ length: LEGACY }, (_, index) =>
      resource('product', `/product.php?id=${3_000 + index}`, 0, 12, {
        ...{ status: 301, location: random.pick(products).page },
      }),
    ),
  };
}

/** Further pages and sorted and filtered views of a category: the usual crawl trap of a shop. */
function deepListings({ target }: Resource): Resource[] {
  const further = Array.from({ length: 9 }, (_, page) => `page=${page + 2}`);
  const sorted = ['price', 'newest', 'rating'].map((order) => `sort=${order}`);
  const sized = colours.flatMap((colour) => ['s', 'm', 'l'].map((size) => `colour=${colour}&size=${size}`));
  const coloured = colours.map((colour) => `colour=${colour}`);
  return [
    ...[...further, ...sorted].map((query) => resource('listing', `${target}?${query}`, 44_000, 300)),
    ...[...coloured, ...sized].map((query) => resource('search', `${target}?${query}`, 24_000, 640)),
  ];
}
