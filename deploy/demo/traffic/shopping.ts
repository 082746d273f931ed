import type { Arrival } from './arrivals.js';
import { within } from './calendar.js';
import type { Product } from './catalogue.js';
import type { Client } from './demo-request.js';
import { weighted } from './random.js';
import type { Resource } from './resource.js';
import type { Manner } from './shop-server.js';
import type { Emit, Scene } from './source.js';

/** Mean seconds between two pages of a visit. */
const THINK_SECONDS = 38;
const MOST_PAGES = 30;

type Step = 'listing' | 'deep_listing' | 'product' | 'search' | 'post' | 'information' | 'cart' | 'account';

/** Where people go from a page of each kind; what is left to 1 is leaving. */
const onwards: Record<string, [Step | 'leave', number][]> = {
  home: [
    ['listing', 34],
    ['search', 9],
    ['product', 18],
    ['post', 4],
    ['account', 3],
    ['information', 4],
    ['leave', 28],
  ],
  listing: [
    ['product', 44],
    ['deep_listing', 12],
    ['listing', 8],
    ['search', 3],
    ['leave', 33],
  ],
  search: [
    ['product', 46],
    ['search', 10],
    ['listing', 6],
    ['leave', 38],
  ],
  product: [
    ['product', 18],
    ['listing', 15],
    ['cart', 8],
    ['search', 3],
    ['information', 3],
    ['leave', 53],
  ],
  post: [
    ['product', 14],
    ['post', 10],
    ['listing', 8],
    ['leave', 68],
  ],
  information: [
    ['listing', 15],
    ['account', 4],
    ['product', 6],
    ['leave', 75],
  ],
};
const choices = Object.fromEntries(
  Object.entries(onwards).map(([kind, entries]) => [kind, weighted(entries, ([, weight]) => weight)]),
);

/** A visit to the shop: pages one after another, each with the files that its browser still needs. */
export function createShopping(scene: Scene) {
  const { site, serve, random, domain, incidents } = scene;
  const origin = `https://${domain}`;
  const productOfPage = new Map<string, Product>(
    site.products.map((product) => [product.page.target, product]),
  );

  /** The product that a page shows; campaign parameters may follow its path. */
  function productOn(page: Resource): Product | undefined {
    return page.kind === 'product' ? productOfPage.get(page.target.split('?', 1)[0]!) : undefined;
  }

  function visit(client: Client, arrival: Arrival, isReturning: boolean, start: number, emit: Emit): void {
    let at = start;
    let page = arrival.landing;
    let referrer = arrival.referrer;
    let isWarm = isReturning;
    // Typed or bookmarked with www.: sent on to the shop's one host name.
    if (arrival.referrer === '' && random.chance(0.045)) {
      emit(serve(client, page, at, { host: `www.${domain}` }));
      at += 60;
    }
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const served = open(client, page, referrer, at, emit);
      page = served.page;
      referrer = `${origin}${page.target}`;
      if (served.status >= 500) {
        retry(client, page, at, emit);
        return;
      }
      if (served.status === 200) load(client, page, referrer, at + 120, isWarm, emit);
      isWarm = true;
      const step = served.status === 404 ? 'leave' : (choices[page.kind]?.(random)[0] ?? 'leave');
      if (step === 'leave') return;
      at += 1_500 + random.exponential(THINK_SECONDS * 1_000);
      if (step === 'cart') {
        buy(client, referrer, at, emit);
        return;
      }
      page = follow(step, page);
    }
  }

  /** Asks for a page and follows its redirect. */
  function open(client: Client, wanted: Resource, referrer: string, at: number, emit: Emit) {
    const first = serve(client, wanted, at, { referrer });
    emit(first);
    if (wanted.location === null || first.status !== wanted.status) {
      return { page: wanted, status: first.status };
    }
    const second = serve(client, wanted.location, at + 70, { referrer });
    emit(second);
    return { page: wanted.location, status: second.status };
  }

  /** Style sheets, scripts, images: nearly all on a first page, few when the browser holds them. */
  function load(
    client: Client,
    page: Resource,
    referrer: string,
    at: number,
    isWarm: boolean,
    emit: Emit,
  ): void {
    const manner: Manner = { referrer };
    let later = at;
    const ask = (file: Resource, how: Manner = manner) => {
      later += 4 + random.int(45);
      emit(serve(client, file, later, how));
    };
    if (!isWarm) {
      // What has gone through a proxy or a prefetch before is not asked for again.
      for (const asset of site.assets) if (random.chance(0.24)) ask(asset);
      if (random.chance(0.12)) ask(site.favicon);
    } else if (random.chance(0.1)) {
      ask(random.pick(site.assets), { referrer, revalidates: true });
    }
    // Pages opened before the deployment still name the release before.
    if (random.chance(0.03) && within(incidents.deploy, at)) ask(random.pick(site.retiredAssets));
    const images =
      page.kind === 'product' ? 1.1 : page.kind === 'listing' || page.kind === 'home' ? 1.4 : 0.3;
    const product = productOn(page);
    if (product !== undefined) ask(product.images[0]!);
    else
      for (let left = images; random.next() < left; left -= 0.7) ask(site.popularProduct(random).images[1]!);
    if (product !== undefined && random.chance(0.25)) ask(product.images[1]!);
    if (page.kind === 'product' && random.chance(0.15)) ask(random.pick(site.stock));
    if (page.kind === 'post' && random.chance(0.35)) ask(site.brokenImages[random.int(2)]!);
    else if (random.chance(0.006)) ask(random.pick(site.brokenImages));
  }

  /** An error page: some reload once or twice, then give up. */
  function retry(client: Client, page: Resource, at: number, emit: Emit): void {
    let later = at;
    while (random.chance(0.45)) {
      later += 3_000 + random.exponential(20_000);
      emit(serve(client, page, later));
    }
  }

  function follow(step: Step, from: Resource): Resource {
    switch (step) {
      case 'listing':
        return productOn(from)?.listing ?? site.popularListing(random);
      case 'deep_listing':
        return random.pick(site.deepListings);
      case 'product':
        return random.chance(0.012) ? site.popularRetired(random) : site.popularProduct(random).page;
      case 'search':
        return random.chance(0.12) ? random.pick(site.slowPages) : random.pick(site.searches);
      case 'post':
        return random.pick(site.posts);
      case 'information':
        return random.pick(site.information);
      default:
        return random.chance(0.4) ? site.account : random.pick(site.orders);
    }
  }

  /** Into the cart and, for some, all the way to the thank-you page. */
  function buy(client: Client, productUrl: string, start: number, emit: Emit): void {
    const added = serve(client, site.addToCart, start, { method: 'POST', referrer: productUrl });
    emit(added);
    emit(serve(client, site.cart, start + 180, { referrer: productUrl }));
    let at = start;
    let referrer = `${origin}${site.cart.target}`;
    for (const step of site.checkout) {
      if (!random.chance(0.66)) return;
      at += 8_000 + random.exponential(THINK_SECONDS * 1_000);
      emit(serve(client, step, at, { referrer }));
      referrer = `${origin}${step.target}`;
      if (step !== site.checkout.at(-1)) {
        emit(serve(client, step, at + 15_000, { method: 'POST', referrer }));
      }
    }
  }

  return { visit };
}
