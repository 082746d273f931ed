import { MINUTE_MS } from '../../../shared/durations.js';
import { addressPool } from './address.js';
import { dailyWave, within } from './calendar.js';
import { crawlers, type DemoCrawler, type Dish } from './crawler-list.js';
import type { Client } from './demo-request.js';
import { hostingNetworks } from './networks.js';
import { drawn, type Random, shuffled } from './random.js';
import type { Resource } from './resource.js';
import type { Scene, TrafficSource } from './scene.js';
import type { Manner } from './shop-server.js';

export function createCrawlers(scene: Scene): TrafficSource[] {
  return crawlers.map((crawler) => crawlerSource(scene, crawler));
}

function crawlerSource(scene: Scene, crawler: DemoCrawler): TrafficSource {
  const { serve, random, incidents } = scene;
  const { bot, actor, userAgent, refused, share, burst, method = 'GET' } = crawler;
  const isSearch = actor === 'search_bot';
  const choose = menu(scene, crawler);
  const host = hostOf(crawler);

  function manner(wanted: Resource): Manner {
    // The firewall never refuses robots.txt.
    if (refused !== undefined && wanted.target !== '/robots.txt' && random.chance(refused.part))
      return { method, refusedWith: refused.status };
    const unchanged = crawler.unchanged ?? (isSearch && wanted.kind !== 'document' ? 0.07 : 0);
    return { method, revalidates: random.chance(unchanged) };
  }

  return {
    share,
    rhythm(at) {
      if (crawler.followsPeople === true) return dailyWave(at, 0);
      // Search engines crawl less when a site returns errors, and need hours to recover.
      const sinceOutage = at - incidents.outage.start;
      return isSearch && sinceOutage > 10 * MINUTE_MS && sinceOutage < 180 * MINUTE_MS ? 0.45 : 1;
    },
    visit(start, emit) {
      const protocol = isSearch || random.chance(0.5) ? 'HTTP/1.1' : 'HTTP/2';
      const client: Client = { ...host(random), userAgent, protocol, actor, bot };
      const requests = burst === 1 ? 1 : 1 + Math.floor(random.exponential(burst - 0.5));
      let at = start;
      for (let i = 0; i < requests; i++) {
        let wanted: Resource | null = choose();
        while (wanted !== null) {
          const served = serve(client, wanted, at, manner(wanted));
          emit(served);
          at += 40 + random.exponential(crawler.pause * 1_000);
          wanted = served.status === wanted.status ? wanted.location : null;
        }
        if (within(incidents.outage, at) && random.chance(0.3)) return;
      }
    },
  };
}

/** Networks of a crawler: its operator's, or rented servers. */
function hostOf({ networks, country }: DemoCrawler): (random: Random) => { ip: string; country: string } {
  if (networks.length > 0) {
    const addresses = addressPool(networks);
    return (random) => ({ ip: addresses(random), country });
  }
  return (random) => {
    const network = random.pick(hostingNetworks);
    return { ip: network.addresses(random), country: network.country };
  };
}

/** Draws the next resource of the crawler: in a fixed random order, or by popularity. */
function menu({ site, random }: Scene, { appetite, followsPopularity }: DemoCrawler): () => Resource {
  const dishes = new Map<Dish, () => Resource>();
  const products = site.products.map(({ page }) => page);
  const images = site.products.flatMap((product) => product.images);
  for (const name of Object.keys(appetite) as Dish[]) {
    const wanted = name === 'products' ? products : name === 'images' ? images : site[name];
    dishes.set(name, Array.isArray(wanted) ? sweep(wanted) : () => wanted);
  }
  if (followsPopularity === true) {
    const anyPost = dishes.get('posts');
    dishes.set('products', () => site.popularProduct(random).page);
    if (anyPost !== undefined)
      dishes.set('posts', () => (random.chance(0.4) ? site.quotedPost(random) : anyPost()));
  }
  const draw = drawn(appetite as Record<Dish, number>);
  return () => dishes.get(draw(random))!();

  function sweep(all: Resource[]): () => Resource {
    let order: Resource[] | undefined;
    let at = 0;
    return () => {
      order ??= shuffled(all, random);
      at = (at + 1) % order.length;
      return order[at]!;
    };
  }
}
