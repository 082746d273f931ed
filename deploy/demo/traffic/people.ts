import { type Arrival, createArrivals } from './arrivals.js';
import { createBrowsers } from './browsers.js';
import { dailyWave, within } from './calendar.js';
import type { Client } from './demo-request.js';
import { type Country, countries } from './networks.js';
import { drawn, type Sampler, weighted } from './random.js';
import type { Emit, Scene, TrafficSource } from './scene.js';
import { createShopping } from './shopping.js';

/** Share of visitors with IPv6. */
const IPV6_SHARE = 0.38;
/** Share of visits by recent visitors: the same client with a warm browser cache. */
const RETURNING_SHARE = 0.14;
/** Share of visits from an address that another visitor recently had, such as shared addresses of offices and carriers. */
const SHARED_ADDRESS_SHARE = 0.06;
const REMEMBERED_VISITORS = 6_000;

const protocols = drawn({ 'HTTP/2': 56, 'HTTP/3': 41.5, 'HTTP/1.1': 2.5 });

/** People, in the daily waves of their time zones. */
export function createPeople(scene: Scene, share: number): TrafficSource {
  return humanSource(scene, { actor: 'human', share, mobileShare: 0.62 }, createArrivals(scene).draw);
}

/** Visitors from answers of AI assistants: fewer, mostly on desktops, with landing pages deeper in the shop. */
export function createAiVisitors(scene: Scene, share: number): TrafficSource {
  const kind = { actor: 'ai_visitor', share, mobileShare: 0.35 } as const;
  return humanSource(scene, kind, createArrivals(scene).fromAssistant);
}

function humanSource(
  scene: Scene,
  { actor, share, mobileShare }: { actor: Client['actor']; share: number; mobileShare: number },
  arrive: (at: number, country: Country, isMobile: boolean) => Arrival,
): TrafficSource {
  const { random, incidents } = scene;
  const browsers = createBrowsers();
  const shop = createShopping(scene);
  const recent: Client[] = [];
  let [next, countriesAwake]: [number, Sampler<Country>] = [0, () => countries[0]!];

  function newClient(country: Country, isMobile: boolean, inApp: boolean, neighbour: Client | null): Client {
    const client: Client = {
      ip: neighbour?.ip ?? (random.chance(IPV6_SHARE) ? country.ipv6(random) : country.ipv4(random)),
      country: neighbour?.country ?? country.code,
      userAgent: browsers[inApp ? 'inApp' : isMobile ? 'mobile' : 'desktop'](random),
      protocol: protocols(random),
      actor,
      bot: '',
    };
    recent[next] = client;
    next = (next + 1) % REMEMBERED_VISITORS;
    return client;
  }

  return {
    share,
    rhythm(at) {
      const awake = countries.map(({ share, utcOffset }) => share * dailyWave(at, utcOffset));
      countriesAwake = weighted(countries, (_country, index) => awake[index]!);
      const wave = awake.reduce((sum, part) => sum + part, 0);
      // Visitors who got an error page do not return for a while.
      return within(incidents.outage, at) ? 0.65 * wave : wave;
    },
    visit(at: number, emit: Emit) {
      const country = countriesAwake(random);
      const isMobile = random.chance(mobileShare);
      const arrival = arrive(at, country, isMobile);
      const habit = random.next();
      const isReturning = recent.length > 0 && habit < RETURNING_SHARE;
      const isNeighbour = recent.length > 0 && habit < RETURNING_SHARE + SHARED_ADDRESS_SHARE;
      const known = isReturning || isNeighbour ? random.pick(recent) : null;
      const client = isReturning ? known! : newClient(country, isMobile, arrival.inApp, known);
      shop.visit(client, arrival, isReturning, at, emit);
    },
  };
}
