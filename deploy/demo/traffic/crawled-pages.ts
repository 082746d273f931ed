import { type DemoOptions, demoSite } from './demo-traffic.js';
import { type Resource, resource } from './resource.js';
import { comingLookbooks, pastLookbooks, type Site } from './site.js';

/** The shop as a crawler finds it: its pages, their links, and their faults. */

export interface CrawledPage {
  target: string;
  contentType: string;
  /** 0: disallowed by robots.txt. */
  status: number;
  title: string;
  description: string;
  h1: string;
  secondH1: string;
  metaRobots: string;
  /** A path, like all addresses here; '' for none. */
  canonical: string;
  redirectTo: string;
  bytes: number;
  words: number;
  ms: number;
  inSitemap: boolean;
  links: string[];
}

const PAGES_OF_A_LISTING = 24;
/** The crawler stopped after so many months of the calendar. */
const MONTHS = 24;
const SHOP = 'Example Outdoor';
const OUTLET = '/outlet?sort=discount&page=1';

/** @returns pages in the order of discovery; the same seed gives the same pages. */
export function crawledPages(demo: DemoOptions): CrawledPage[] {
  const site = demoSite(demo);
  const isDepartment = ({ target }: Resource) => target.split('/').length === 3;
  const departments = site.listings.filter(isDepartment);
  const leaves = site.listings.filter((page) => !isDepartment(page));
  const menu = targets([site.home, ...departments, site.posts[0]!]);
  const pages = [
    homeOf(site, leaves),
    ...departments.map((page) =>
      listed(page, { links: targets(leaves.filter(({ target }) => target.startsWith(`${page.target}/`))) }),
    ),
    ...leaves.flatMap((leaf) => listingOf(leaf, site)),
    ...site.slowPages.map((page, index) =>
      html(page, { ...(index === 2 && { title: '' }), ...(index === 0 && { h1: '' }) }),
    ),
    moved('/sale', '/outlet'),
    moved('/outlet', OUTLET),
    ...site.information.map((page) => listed(page, { description: `All about buying at ${SHOP}.` })),
    ...productsOf(site),
    ...postsOf(site),
    ...hireOf(site),
    ...[...pastLookbooks, ...comingLookbooks].map((page) => listed(page, {})),
    ...blocked(site).map((page) => ({ ...plain(page), status: 0, redirectTo: '' })),
  ];
  return pages.map((page) => (page.status === 200 ? { ...page, links: [...menu, ...page.links] } : page));
}

/** Disallowed pages that the home page links to. */
const blocked = ({ searches, cart, account }: Site) => [...searches.slice(0, 6), cart, account];

/** Products out of season are only in the sitemap. */
const isLinked = (_product: unknown, index: number) => index % 37 !== 5;

function homeOf(site: Site, leaves: Resource[]): CrawledPage {
  const products = site.products.filter(isLinked).slice(0, 12);
  const linked = [
    ...[...leaves.slice(0, 8), ...products.map(({ page }) => page), ...site.information],
    ...[...site.slowPages, ...site.hires, site.hireCalendar[0]!, ...blocked(site)],
  ];
  const title = `${SHOP}: boots, tents and packs`;
  return listed(site.home, { title, h1: SHOP, links: [...targets(linked), '/sale'] });
}

/** Products on the pages of a category. */
const shelfOf = (listing: Resource, { products }: Site) =>
  products
    .filter(isLinked)
    .filter((product) => product.listing === listing)
    .map(({ page }) => page);

function listingOf(leaf: Resource, site: Site): CrawledPage[] {
  const shelf = shelfOf(leaf, site);
  const views = (query: string) =>
    site.deepListings.filter(({ target }) => target.startsWith(`${leaf.target}?${query}=`));
  const further = views('page').slice(0, Math.ceil(shelf.length / PAGES_OF_A_LISTING) - 1);
  const part = (place: number) =>
    targets(shelf.slice(place * PAGES_OF_A_LISTING, (place + 1) * PAGES_OF_A_LISTING));
  return [
    listed(leaf, { links: [...part(0), ...targets(further), ...targets(views('sort'))] }),
    ...further.map((page, index) =>
      html(page, {
        title: `${nameOf(leaf.target)}, page ${index + 2} | ${SHOP}`,
        links: [leaf.target, ...part(index + 1)],
      }),
    ),
    ...views('sort').map((page) => html(page, { metaRobots: 'noindex,follow', links: part(0) })),
  ];
}

function productsOf(site: Site): CrawledPage[] {
  const { products, retired, listings } = site;
  const shelves = new Map(listings.map((listing) => [listing, shelfOf(listing, site)]));
  const gone = new Set<Resource>();
  const retiredAt = (index: number) => {
    const page = retired[index % retired.length]!;
    gone.add(page);
    return page.target;
  };
  const pages = products.map(({ page, listing }, index) => {
    const shelf = shelves.get(listing)!;
    const place = shelf.indexOf(page);
    const related = place < 0 ? [] : [1, 2, 3].map((step) => shelf[(place + step) % shelf.length]!);
    const predecessor = index % 90 === 7 ? [retiredAt((index - 7) / 90)] : [];
    return listed(page, {
      words: 180 + (index % 7) * 60,
      links: [listing.target, ...targets(related), ...predecessor],
      ...(index % 40 === 11 && { description: '' }),
      ...((index === 100 || index === 101) && { metaRobots: 'noindex' }),
      // A wrong canonical URL after a move: the URL of a former product.
      ...(index % 700 === 350 && { canonical: retiredAt(index) }),
    });
  });
  return [...pages, ...[...gone].map(plain)];
}

function postsOf({ posts: [blog, ...guides], products, legacy }: Site): CrawledPage[] {
  const old = (index: number) => (index % 6 === 0 ? [legacy[index]!] : []);
  return [
    listed(blog!, { links: targets(guides) }),
    ...guides.map((page, index) => {
      const isLong = page.target.includes('navigation-without-a-phone');
      const long = `${nameOf(page.target)}: what we learned on forty trips with friends and family | ${SHOP}`;
      return listed(page, {
        ...(isLong && { title: long }),
        words: 700 + (index % 9) * 110,
        secondH1: page.target.includes('layering-in-winter') ? 'What others read' : '',
        links: targets([products[(index * 31 + 1) % products.length]!.page, ...old(index)]),
      });
    }),
    ...guides.flatMap((_guide, index) => old(index)).map(plain),
  ];
}

/** Every third page of the template failed; the calendar has very few words. */
function hireOf({ hires, hireCalendar }: Site): CrawledPage[] {
  const months = hireCalendar.slice(0, MONTHS);
  return [
    ...hires.map((page, index) =>
      index % 3 === 2
        ? { ...plain(page), status: 500 }
        : html(page, { words: 140, links: targets(months.slice(0, 1)) }),
    ),
    ...months.map((page, index) =>
      html(page, {
        ...{ title: `Hire calendar | ${SHOP}`, description: '', h1: '', words: 34 },
        links: targets(months.slice(index + 1, index + 2)),
      }),
    ),
  ];
}

function listed(page: Resource, found: Partial<CrawledPage>): CrawledPage {
  return { ...html(page, found), inSitemap: true };
}

function html(page: Resource, found: Partial<CrawledPage>): CrawledPage {
  const name = nameOf(page.target);
  return {
    ...plain(page),
    ...{
      title: `${name} | ${SHOP}`,
      description: `${name} at ${SHOP}: choose, compare and order.`,
      h1: name,
    },
    ...{ words: 320, canonical: page.target, metaRobots: 'index,follow' },
    ...found,
  };
}

/** A page without text. */
function plain({ target, contentType, status, location, bytes, latencyMs }: Resource): CrawledPage {
  return {
    ...{ target, contentType, status, redirectTo: location?.target ?? '' },
    ...{ title: '', description: '', h1: '', secondH1: '', metaRobots: '', canonical: '', words: 0 },
    // A log has compressed sizes; a crawl has sizes after decompression.
    ...{ bytes: bytes * 4, ms: latencyMs, inSitemap: false, links: [] },
  };
}

const moved = (target: string, redirectTo: string) => ({
  ...plain(resource('information', target, 10, 12, { status: 301 })),
  redirectTo,
});

const targets = (pages: readonly Resource[]) => pages.map(({ target }) => target);

/** `/p/alpine-pro-tent-black-20003` is called "Alpine pro tent black". */
function nameOf(target: string): string {
  const last = target.split('?', 1)[0]!.split('/').at(-1)!;
  const words = last.replace(/-\d{5}$/, '').replaceAll('-', ' ');
  return words === '' ? SHOP : words[0]!.toUpperCase() + words.slice(1);
}
