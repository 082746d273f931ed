import { type Arrival, createArrivals } from './arrivals.js';
import { type Browsers, createBrowsers } from './browsers.js';
import { dailyWave, within } from './calendar.js';
import type { Client } from './demo-request.js';
import { type Country, countries } from './networks.js';
import { type Sampler, weighted } from './random.js';
import { createShopping } from './shopping.js';
import type { Emit, Scene, TrafficSource } from './source.js';

/** Part of visitors reached over IPv6. */
const IPV6_SHARE = 0.38;
/** Part of visits by somebody who was here lately: the same client, and a warm browser cache. */
const RETURNING_SHARE = 0.14;
/** Part of visits from an address that somebody else lately had: offices and carriers' shared addresses. */
const SHARED_ADDRESS_SHARE = 0.06;
const REMEMBERED_VISITORS = 6_000;

/** Humans, in the waves of their own time zones. */
export function createPeople(scene: Scene, share: number): TrafficSource {
  const arrivals = createArrivals(scene);
  return humanSource(scene, share, (at, country, isMobile) => arrivals.draw(at, country, isMobile), 'human');
}

/** Visitors that an AI assistant's answer sent: fewer, mostly at a desk, deeper into the shop. */
export function createAiVisitors(scene: Scene, share: number): TrafficSource {
  const arrivals = createArrivals(scene);
  return humanSource(scene, share, () => arrivals.fromAssistant(), 'ai_visitor');
}

type Arrive = (at: number, country: Country, isMobile: boolean) => Arrival;

function humanSource(
  scene: Scene,
  share: number,
  arrive: Arrive,
  actor: 'human' | 'ai_visitor',
): TrafficSource {
  const { random, incidents } = scene;
  const browsers = createBrowsers();
  const shop = createShopping(scene);
  const visitors = createVisitors(scene, browsers, actor);
  const mobileShare = actor === 'human' ? 0.62 : 0.35;
  const whereabouts = createWhereabouts();

  return {
    share,
    // Whoever meets an error page stays away for a while.
    rhythm: (at) => whereabouts.wave(at) * (within(incidents.outage, at) ? 0.65 : 1),
    visit(at: number, emit: Emit) {
      const country = whereabouts.country(at)(random);
      const isMobile = random.chance(mobileShare);
      const arrival = arrive(at, country, isMobile);
      const { client, isReturning } = visitors.draw(country, isMobile, arrival.inApp);
      shop.visit(client, arrival, isReturning, at, emit);
    },
  };
}

interface Visitor {
  client: Client;
  isReturning: boolean;
}

function createVisitors({ random }: Scene, browsers: Browsers, actor: Client['actor']) {
  const recent: Client[] = [];
  let next = 0;
  const remember = (client: Client) => {
    recent[next] = client;
    next = (next + 1) % REMEMBERED_VISITORS;
  };

  return {
    draw(country: Country, isMobile: boolean, inApp: boolean): Visitor {
      const habit = random.next();
      if (recent.length > 0 && habit < RETURNING_SHARE) {
        return { client: random.pick(recent), isReturning: true };
      }
      const neighbour =
        recent.length > 0 && habit < RETURNING_SHARE + SHARED_ADDRESS_SHARE ? random.pick(recent) : null;
      const userAgents = inApp ? browsers.inApp : isMobile ? browsers.mobile : browsers.desktop;
      const client: Client = {
        ip: neighbour?.ip ?? (random.chance(IPV6_SHARE) ? country.ipv6(random) : country.ipv4(random)),
        country: neighbour?.country ?? country.code,
        userAgent: userAgents(random),
        protocol: protocolOf(random.next()),
        actor,
        bot: '',
      };
      remember(client);
      return { client, isReturning: false };
    },
  };
}

function protocolOf(draw: number): string {
  if (draw < 0.56) return 'HTTP/2';
  return draw < 0.975 ? 'HTTP/3' : 'HTTP/1.1';
}

/** The mix of countries awake at a moment, worked out once per slice of time. */
function createWhereabouts() {
  let mixedAt = Number.NaN;
  let mix: Sampler<Country> | undefined;
  const SLICE_MS = 600_000;
  return {
    wave(at: number): number {
      return countries.reduce((sum, { share, utcOffset }) => sum + share * dailyWave(at, utcOffset), 0);
    },
    country(at: number): Sampler<Country> {
      const slice = Math.floor(at / SLICE_MS) * SLICE_MS;
      if (mix === undefined || slice !== mixedAt) {
        mix = weighted(countries, ({ share, utcOffset }) => share * dailyWave(slice, utcOffset));
        mixedAt = slice;
      }
      return mix;
    },
  };
}
