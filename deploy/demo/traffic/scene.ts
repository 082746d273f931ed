import { type Incidents, incidentsOf, type TimeSpan } from './calendar.js';
import type { DemoRequest } from './demo-request.js';
import { createRandom, type Random } from './random.js';
import { createShopServer, type ShopServer } from './shop-server.js';
import { createSite, type Site } from './site.js';

/** What every source of traffic is made from. */
export interface Scene {
  site: Site;
  serve: ShopServer;
  random: Random;
  domain: string;
  incidents: Incidents;
  window: TimeSpan;
}

export function createScene(seed: string, domain: string, window: TimeSpan): Scene {
  const random = createRandom(seed);
  const incidents = incidentsOf(window);
  // The order decides what each draws.
  const serve = createShopServer(domain, incidents, random);
  return { site: createSite(random), serve, random, domain, incidents, window };
}

/** Takes requests; their times may lie after the slice, never before its start. */
export type Emit = (request: DemoRequest) => void;

/** A kind of traffic. It acts in visits; the timeline asks for as many visits as its share of all requests allows. */
export interface TrafficSource {
  /** Part of all requests over the window; shares are scaled to add up to 1. */
  share: number;
  /** Relative intensity around this moment, 1 on average. */
  rhythm(at: number): number;
  /** Makes all requests of one visit that starts at `at`. */
  visit(at: number, emit: Emit): void;
}
