import type { Arrival } from './arrivals.js';
import { within } from './calendar.js';
import type { Product } from './catalogue.js';
import type { Client } from './demo-request.js';
import { drawn, type Sampler } from './random.js';
import type { Resource } from './resource.js';
import type { Emit, Scene } from './scene.js';
import type { Manner } from './shop-server.js';

/** Mean seconds between two pages of a visit. */
const THINK_SECONDS = 38;
const MOST_PAGES = 30;

/** Weights of the next page, by kind of page. */
const onwards = {
  home: drawn({ listing: 34, search: 9, product: 18, post: 4, account: 3, information: 4, leave: 28 }),
  listing: drawn({ product: 44, filtered: 12, listing: 8, search: 3, leave: 33 }),
  search: drawn({ product: 46, search: 10, listing: 6, leave: 38 }),
  product: drawn({ product: 18, listing: 15, cart: 8, search: 3, information: 3, leave: 53 }),
  post: drawn({ product: 14, post: 10, listing: 8, leave: 68 }),
  information: drawn({ listing: 15, account: 4, product: 6, leave: 75 }),
};
type Step = ReturnType<(typeof onwards)[keyof typeof onwards]>;

/** Generates visits to the shop: consecutive pages, each with the files that the browser has not cached. */
export function createShopping({ site, serve, random, domain, incidents }: Scene) {
  const origin = `https://${domain}`;
  const productOfPage = new Map<string, Product>(
    site.products.map((product) => [product.page.target, product]),
  );

  /** The product of a page; its path may have campaign parameters. */
  function productOn(page: Resource): Product | undefined {
    return page.kind === 'product' ? productOfPage.get(page.target.split('?', 1)[0]!) : undefined;
  }

  function visit(client: Client, arrival: Arrival, isReturning: boolean, start: number, emit: Emit): void {
    let [at, page, referrer, isWarm] = [start, arrival.landing, arrival.referrer, isReturning];
    const ask = (wanted: Resource, when: number, manner?: Manner) => {
      const served = serve(client, wanted, when, manner);
      emit(served);
      return served.status;
    };
    // Typed or bookmarked with www.: redirected to the shop's host name.
    if (referrer === '' && random.chance(0.045)) {
      ask(page, at, { host: `www.${domain}` });
      at += 60;
    }
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      let status = ask(page, at, { referrer });
      if (page.location !== null && status === page.status) {
        page = page.location;
        status = ask(page, at + 70, { referrer });
      }
      referrer = `${origin}${page.target}`;
      if (status >= 500) {
        // Some visitors reload an error page once or twice.
        while (random.chance(0.45)) {
          at += 3_000 + random.exponential(20_000);
          ask(page, at);
        }
        return;
      }
      if (status === 200) {
        let later = at + 120;
        for (const [file, revalidates] of filesOf(page, isWarm, later)) {
          later += 4 + random.int(45);
          ask(file, later, { referrer, revalidates });
        }
      }
      isWarm = true;
      const choose = onwards[page.kind as keyof typeof onwards] as Sampler<Step> | undefined;
      const step = status === 404 || choose === undefined ? 'leave' : choose(random);
      if (step === 'leave') return;
      at += 1_500 + random.exponential(THINK_SECONDS * 1_000);
      if (step === 'cart') {
        buy(ask, referrer, at);
        return;
      }
      page = follow(step, page);
    }
  }

  /** Style sheets, scripts and images: many on a first page, few with a warm cache. */
  function* filesOf(
    page: Resource,
    isWarm: boolean,
    at: number,
  ): Generator<[Resource, revalidates: boolean]> {
    // A proxy or a prefetch already has the other assets.
    if (!isWarm) for (const asset of site.assets) if (random.chance(0.26)) yield [asset, false];
    if (!isWarm && random.chance(0.12)) yield [site.favicon, false];
    if (isWarm && random.chance(0.1)) yield [random.pick(site.assets), true];
    // Pages opened before the deployment refer to assets of the previous release.
    if (random.chance(0.03) && within(incidents.deploy, at)) yield [random.pick(site.retiredAssets), false];
    const product = productOn(page);
    if (product !== undefined) {
      yield [product.images[0]!, false];
      if (random.chance(0.25)) yield [product.images[1]!, false];
      if (random.chance(0.15)) yield [random.pick(site.stock), false];
    } else {
      const images = page.kind === 'listing' || page.kind === 'home' ? 1.4 : 0.3;
      for (let left = images; random.next() < left; left -= 0.7)
        yield [site.popularProduct(random).images[1]!, false];
    }
    if (random.chance(page.kind === 'post' ? 0.35 : 0.006)) yield [random.pick(site.brokenImages), false];
  }

  function follow(step: Step, from: Resource): Resource {
    switch (step) {
      case 'listing':
        return productOn(from)?.listing ?? site.popularListing(random);
      case 'filtered':
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

  type Ask = (wanted: Resource, at: number, manner?: Manner) => number;

  /** Adds to the cart; some visitors continue to the thank-you page. */
  function buy(ask: Ask, productUrl: string, start: number): void {
    ask(site.addToCart, start, { method: 'POST', referrer: productUrl });
    ask(site.cart, start + 180, { referrer: productUrl });
    let [at, referrer] = [start, `${origin}${site.cart.target}`];
    for (const [index, step] of site.checkout.entries()) {
      if (!random.chance(0.66)) return;
      at += 8_000 + random.exponential(THINK_SECONDS * 1_000);
      ask(step, at, { referrer });
      referrer = `${origin}${step.target}`;
      if (index < site.checkout.length - 1) ask(step, at + 15_000, { method: 'POST', referrer });
    }
  }

  return { visit };
}
