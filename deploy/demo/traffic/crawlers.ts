import { MINUTE_MS } from '../../../shared/durations.js';
import { addressPool } from './address.js';
import { dailyWave, within } from './calendar.js';
import {
  type Appetite,
  aiCrawlers,
  type DemoCrawler,
  otherCrawlers,
  searchCrawlers,
} from './crawler-list.js';
import type { Client } from './demo-request.js';
import { hostingNetworks } from './networks.js';
import { shuffled, weighted } from './random.js';
import type { Resource } from './resource.js';
import type { Manner } from './shop-server.js';
import type { Scene, TrafficSource } from './source.js';

const AGENT_BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';

/** Every crawler that tells the truth about itself. */
export function createCrawlers(scene: Scene): TrafficSource[] {
  return [...searchCrawlers, ...aiCrawlers, ...otherCrawlers].map((crawler) =>
    crawlerSource(scene, crawler, hostOf(crawler, scene)),
  );
}

/**
 * Scrapers on rented servers that call themselves Googlebot and the like to be let in. The firewall
 * knows some of them.
 */
export function createImpostors(scene: Scene, share: number): TrafficSource[] {
  const claims: [bot: string, part: number][] = [
    ['Googlebot', 0.55],
    ['bingbot', 0.2],
    ['GPTBot', 0.12],
    ['ClaudeBot', 0.07],
    ['PerplexityBot', 0.06],
  ];
  const known = [...searchCrawlers, ...aiCrawlers];
  return claims.map(([bot, part]) => {
    const original = known.find((crawler) => crawler.bot === bot)!;
    const impostor: DemoCrawler = {
      ...original,
      actor: 'spoofed_bot',
      share: share * part,
      burst: 60,
      pause: 1.5,
      appetite: { home: 4, products: 80, listings: 10, deepListings: 10, retired: 2 },
      refused: { part: 0.45, status: 403 },
    };
    return crawlerSource(scene, impostor, () => {
      const network = scene.random.pick(hostingNetworks);
      return { ip: network.addresses(scene.random), country: network.country };
    });
  });
}

/** Agents of AI operators that show a browser's user agent, from the addresses of the operator's own fetchers. */
export function createUndeclaredAgents(scene: Scene, share: number): TrafficSource[] {
  const fetchers: [bot: string, part: number][] = [
    ['ChatGPT-User', 0.6],
    ['Perplexity-User', 0.25],
    ['Claude-User', 0.15],
  ];
  return fetchers.map(([bot, part]) => {
    const fetcher = aiCrawlers.find((crawler) => crawler.bot === bot)!;
    const agent: DemoCrawler = {
      ...fetcher,
      bot: '',
      actor: 'undeclared_agent',
      userAgent: AGENT_BROWSER,
      share: share * part,
      burst: 5,
      pause: 4,
    };
    return crawlerSource(scene, agent, hostOf(agent, scene));
  });
}

/** Bots that say so and that no list of crawlers knows: a price watcher, and a library of somebody's own. */
export function createUnknownBots(scene: Scene, share: number): TrafficSource[] {
  const bots: [bot: string, userAgent: string, part: number][] = [
    ['ShelfScout', 'Mozilla/5.0 (compatible; ShelfScout/0.9; +https://shelfscout.example/bot)', 0.8],
    ['quietcrawler', 'quietcrawler/2.1.4', 0.2],
  ];
  return bots.map(([bot, userAgent, part], index) => {
    const network = hostingNetworks[index]!;
    const crawler: DemoCrawler = {
      bot,
      actor: 'unknown_bot',
      userAgent,
      networks: [],
      country: network.country,
      share: share * part,
      burst: 25,
      pause: 2,
      appetite: { home: 2, products: 85, listings: 12, robots: 1 },
    };
    return crawlerSource(scene, crawler, () => ({
      ip: network.addresses(scene.random),
      country: network.country,
    }));
  });
}

type Host = () => { ip: string; country: string };

function hostOf({ networks, country }: DemoCrawler, { random }: Scene): Host {
  const addresses = addressPool(networks);
  return () => ({ ip: addresses(random), country });
}

function crawlerSource(scene: Scene, crawler: DemoCrawler, host: Host): TrafficSource {
  const { serve, random, incidents } = scene;
  const choose = menu(scene, crawler);
  const { refused } = crawler;

  function manner(wanted: Resource): Manner {
    // A firewall rule never hides robots.txt.
    if (refused !== undefined && wanted.target !== '/robots.txt' && random.chance(refused.part)) {
      return { refusedWith: refused.status };
    }
    const revalidates = crawler.actor === 'search_bot' && wanted.kind !== 'document' && random.chance(0.07);
    return revalidates ? { revalidates } : {};
  }

  return {
    share: crawler.share,
    rhythm(at) {
      if (crawler.followsPeople === true) return dailyWave(at, 0);
      // Search engines slow down when a site answers errors, and take hours to come back.
      const sinceOutage = at - incidents.outage.start;
      const backsOff = crawler.actor === 'search_bot' && sinceOutage > 10 * MINUTE_MS;
      return backsOff && sinceOutage < 180 * MINUTE_MS ? 0.45 : 1;
    },
    visit(start, emit) {
      const { ip, country } = host();
      const client: Client = {
        ip,
        country,
        userAgent: crawler.userAgent,
        protocol: crawler.actor === 'search_bot' || random.chance(0.5) ? 'HTTP/1.1' : 'HTTP/2',
        actor: crawler.actor,
        bot: crawler.bot,
      };
      const requests = 1 + Math.floor(random.exponential(crawler.burst - 0.5));
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

/** Draws what the crawler asks for next: swept in an order of its own, or as people like it. */
function menu({ site, random }: Scene, { appetite, followsPopularity }: DemoCrawler): () => Resource {
  const products = site.products.map((product) => product.page);
  const quotedPosts = weighted(site.quotedPosts, (_post, index) => 1 / (1 + index) ** 2);
  const dishes: Record<keyof Appetite, () => Resource> = {
    home: () => site.home,
    products: followsPopularity === true ? () => site.popularProduct(random).page : sweep(products),
    listings: () => random.pick(site.listings),
    deepListings: sweep(site.deepListings),
    posts:
      followsPopularity === true
        ? () => (random.chance(0.4) ? quotedPosts(random) : random.pick(site.posts))
        : () => random.pick(site.posts),
    information: () => random.pick(site.information),
    hires: sweep(site.hires),
    hireCalendar: sweep(site.hireCalendar),
    images: sweep(site.products.flatMap((product) => product.images)),
    assets: () => random.pick(site.assets),
    retired: sweep(site.retired),
    legacy: () => random.pick(site.legacy),
    robots: () => site.robots,
    sitemaps: () => random.pick(site.sitemaps),
    llms: () => site.llms,
  };
  const names = Object.keys(appetite) as (keyof Appetite)[];
  const draw = weighted(names, (name) => appetite[name] ?? 0);
  return () => dishes[draw(random)]();

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
