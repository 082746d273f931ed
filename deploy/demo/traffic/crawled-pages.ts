import { type DemoOptions, demoSite } from './demo-traffic.js';
import { comingLookbooks, pastLookbooks } from './lookbook.js';
import type { Resource } from './resource.js';
import type { Site } from './site.js';

/** The shop as a crawler of it would have found it: its pages, what they link to, and their faults. */

export interface CrawledPage {
  target: string;
  contentType: string;
  /** 0: robots.txt kept the crawler from it. */
  status: number;
  title: string;
  description: string;
  h1: string;
  secondH1: string;
  metaRobots: string;
  /** A path, as all addresses here; '' for none. */
  canonical: string;
  redirectTo: string;
  bytes: number;
  words: number;
  ms: number;
  inSitemap: boolean;
  links: string[];
}

const LISTED = 24;
/** The crawler gave the calendar up after so many months. */
const MONTHS = 24;
const SHOP = 'Example Outdoor';

/** @returns pages in the order in which they were found; the same seed gives the same pages. */
export function crawledPages(demo: DemoOptions): CrawledPage[] {
  const site = demoSite(demo);
  const top = topOf(site);
  const menu = targets([site.home, ...top.departments, site.posts[0]!]);
  return [
    homeOf(site, top),
    ...listingsOf(site, top),
    ...site.slowPages.map((page, index) => ({
      ...html(page, {
        title: index === 2 ? '' : nameOf(page.target),
        h1: index === 0 ? '' : nameOf(page.target),
      }),
    })),
    ...sale(site),
    ...site.information.map((page) => ({
      ...html(page, { description: `All about buying at ${SHOP}.` }),
      inSitemap: true,
    })),
    ...productsOf(site, top),
    ...postsOf(site),
    ...hireOf(site),
    ...[...pastLookbooks, ...comingLookbooks].map((page) => ({ ...html(page, {}), inSitemap: true })),
    ...blockedOf(site),
  ].map((page) => (page.status === 200 ? { ...page, links: [...menu, ...page.links] } : page));
}

interface Top {
  departments: Resource[];
  leaves: Resource[];
  /** Of each leaf by its target, those that its pages list. */
  shelves: ReadonlyMap<string, Resource[]>;
}

function topOf({ listings, products }: Site): Top {
  const depth = ({ target }: Resource) => target.split('/').length;
  const shelves = new Map<string, Resource[]>();
  for (const [index, { page, listing }] of products.entries()) {
    if (!isListed(index)) continue;
    const shelf = shelves.get(listing.target);
    if (shelf === undefined) shelves.set(listing.target, [page]);
    else shelf.push(page);
  }
  return {
    departments: listings.filter((page) => depth(page) === 3),
    leaves: listings.filter((page) => depth(page) > 3),
    shelves,
  };
}

/** Products out of season stand in the sitemap alone. */
const isListed = (index: number) => index % 37 !== 5;

function homeOf(site: Site, { leaves }: Top): CrawledPage {
  const linked = [
    ...leaves.slice(0, 8),
    ...site.products
      .filter((_product, index) => isListed(index))
      .slice(0, 12)
      .map(({ page }) => page),
    ...site.information,
    ...site.slowPages,
    ...site.hires,
    ...site.hireCalendar.slice(0, 1),
    ...blocked(site),
  ];
  return {
    ...html(site.home, { title: `${SHOP}: boots, tents and packs`, h1: SHOP }),
    inSitemap: true,
    links: [...targets(linked), '/sale'],
  };
}

function listingsOf(site: Site, { departments, leaves, shelves }: Top): CrawledPage[] {
  const listed = (page: Resource, links: string[]) => ({ ...html(page, {}), inSitemap: true, links });
  return [
    ...departments.map((page) =>
      listed(page, targets(leaves.filter(({ target }) => target.startsWith(`${page.target}/`)))),
    ),
    ...leaves.flatMap((leaf) => {
      const shelf = shelves.get(leaf.target) ?? [];
      const further = site.deepListings.filter(({ target }) => target.startsWith(`${leaf.target}?page=`));
      const sorted = site.deepListings.filter(({ target }) => target.startsWith(`${leaf.target}?sort=`));
      const pages = further.slice(0, Math.ceil(shelf.length / LISTED) - 1);
      const part = (place: number) => targets(shelf.slice(place * LISTED, (place + 1) * LISTED));
      return [
        listed(leaf, [...part(0), ...targets(pages), ...targets(sorted)]),
        ...pages.map((page, index) => ({
          ...html(page, { title: `${nameOf(leaf.target)}, page ${index + 2} | ${SHOP}` }),
          links: [leaf.target, ...part(index + 1)],
        })),
        ...sorted.map((page) => ({
          ...html(page, { title: titleOf(leaf.target) }),
          ...{ metaRobots: 'noindex,follow', links: part(0) },
        })),
      ];
    }),
  ];
}

/** A page that moved twice, and both moves are still in the way. */
function sale({ slowPages }: Site): CrawledPage[] {
  const outlet = slowPages.find(({ target }) => target.startsWith('/outlet?'))!.target;
  return [moved('/sale', '/outlet'), moved('/outlet', outlet)];
}

function productsOf({ products, retired }: Site, { shelves }: Top): CrawledPage[] {
  const gone = new Set<Resource>();
  const pages = products.map(({ page, listing }, index) => {
    const shelf = shelves.get(listing.target)!;
    const place = shelf.indexOf(page);
    const related = place < 0 ? [] : [1, 2, 3].map((step) => shelf[(place + step) % shelf.length]!);
    const successor = index % 90 === 7 ? [retired[(index - 7) / 90]!] : [];
    for (const one of successor) gone.add(one);
    const name = nameOf(page.target);
    return {
      ...html(page, {
        description: index % 40 === 11 ? '' : `${name}: sizes, weight and what hikers say of it.`,
        words: 180 + (index % 7) * 60,
      }),
      metaRobots: index === 100 || index === 101 ? 'noindex' : 'index,follow',
      // Left over from a move: the address of what was sold before.
      canonical: index % 700 === 350 ? retired[index % retired.length]!.target : page.target,
      inSitemap: true,
      links: [listing.target, ...targets(related), ...targets(successor)],
    };
  });
  for (const { canonical } of pages) for (const one of retired) if (one.target === canonical) gone.add(one);
  return [...pages, ...[...gone].map(plain)];
}

function postsOf({ posts, products, legacy }: Site): CrawledPage[] {
  const [blog, ...rest] = posts;
  const old = rest.flatMap((_post, index) => (index % 6 === 0 ? [legacy[index]!] : []));
  return [
    { ...html(blog!, {}), inSitemap: true, links: targets(rest) },
    ...rest.map((page, index) => {
      const name = nameOf(page.target);
      const isLong = page.target.startsWith('/blog/navigation-without-a-phone');
      return {
        ...html(page, {
          title: isLong
            ? `${name}: what we learned on forty trips with friends and family | ${SHOP}`
            : titleOf(page.target),
          words: 700 + (index % 9) * 110,
        }),
        secondH1: page.target.startsWith('/blog/layering-in-winter') ? 'What others read' : '',
        inSitemap: true,
        links: targets([
          products[(index * 31 + 1) % products.length]!.page,
          ...(index % 6 === 0 ? [legacy[index]!] : []),
        ]),
      };
    }),
    ...old.map(plain),
  ];
}

/** Every third call of the template breaks; the calendar has next to no words. */
function hireOf({ hires, hireCalendar }: Site): CrawledPage[] {
  return [
    ...hires.map((page, index) =>
      index % 3 === 2
        ? { ...plain(page), status: 500 }
        : { ...html(page, { words: 140 }), links: [hireCalendar[0]!.target] },
    ),
    ...hireCalendar.slice(0, MONTHS).map((page, index) => ({
      ...html(page, { title: `Hire calendar | ${SHOP}`, description: '', h1: '', words: 34 }),
      links: targets(hireCalendar.slice(index + 1, Math.min(index + 2, MONTHS))),
    })),
  ];
}

/** What robots.txt keeps crawlers from and the home page links to. */
const blocked = ({ searches, cart, account }: Site) => [...searches.slice(0, 6), cart, account];

const blockedOf = (site: Site) =>
  blocked(site).map((page) => ({ ...plain(page), status: 0, redirectTo: '' }));

interface Words {
  title?: string;
  description?: string;
  h1?: string;
  words?: number;
}

function html(page: Resource, words: Words): CrawledPage {
  const name = nameOf(page.target);
  return {
    ...plain(page),
    ...{
      title: titleOf(page.target),
      description: `${name} at ${SHOP}: choose, compare and order.`,
      h1: name,
    },
    ...{ words: 320, canonical: page.target, metaRobots: 'index,follow' },
    ...words,
  };
}

/** Of a page that was answered without text. */
function plain({ target, contentType, status, location, bytes, latencyMs }: Resource): CrawledPage {
  return {
    ...{ target, contentType, status, redirectTo: location?.target ?? '' },
    ...{ title: '', description: '', h1: '', secondH1: '', metaRobots: '', canonical: '', words: 0 },
    // A log has what was sent; a crawl tells pages as they are when inflated.
    ...{ bytes: bytes * 4, ms: latencyMs, inSitemap: false, links: [] },
  };
}

function moved(target: string, to: string): CrawledPage {
  const page: Resource = {
    ...{ kind: 'information', target, contentType: 'text/html', bytes: 40, latencyMs: 12, cached: 0 },
    ...{ status: 301, location: null },
  };
  return { ...plain(page), redirectTo: to, links: [] };
}

const targets = (pages: readonly Resource[]) => pages.map(({ target }) => target);

const titleOf = (target: string) => `${nameOf(target)} | ${SHOP}`;

/** `/p/alpine-pro-tent-black-20003` is called "Alpine pro tent black". */
function nameOf(target: string): string {
  const [path = ''] = target.split('?');
  const last = path.split('/').at(-1)!;
  const words = last
    .split('-')
    .filter((word) => !/^\d{5}$/.test(word))
    .join(' ');
  return words === '' ? SHOP : words[0]!.toUpperCase() + words.slice(1);
}
