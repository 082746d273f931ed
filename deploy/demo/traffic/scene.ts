import { type Incidents, incidentsOf, type TimeSpan } from './calendar.js';
import type { DemoRequest } from './demo-request.js';
import { createRandom, type Random } from './random.js';
import { createShopServer, type ShopServer } from './shop-server.js';
import { createSite, type Site } from './site.js';

/** Shared parts of all sources of traffic. */
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
  // The order determines the random numbers of each part.
  const serve = createShopServer(domain, incidents, random);
  return { site: createSite(random), serve, random, domain, incidents, window };
}

/** Receives requests, whose times may be after the slice, never before its start. */
export type Emit = (request: DemoRequest) => void;

/** A kind of traffic. It generates visits. The timeline requests as many visits as its share of all requests allows. */
export interface TrafficSource {
  /** Share of all requests over the window; shares are scaled to a sum of 1. */
  share: number;
  /** Relative intensity around this moment, 1 on average. */
  rhythm(at: number): number;
  /** Generates all requests of one visit that starts at `at`. */
  visit(at: number, emit: Emit): void;
}
