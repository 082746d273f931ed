import type { Incidents, TimeSpan } from './calendar.js';
import type { DemoRequest } from './demo-request.js';
import type { Random } from './random.js';
import type { ShopServer } from './shop-server.js';
import type { Site } from './site.js';

/** What every source of traffic is made from. */
export interface Scene {
  site: Site;
  serve: ShopServer;
  random: Random;
  domain: string;
  incidents: Incidents;
  /** The whole time told. */
  window: TimeSpan;
}

/** Takes requests; their times may lie after the slice, never before its start. */
export type Emit = (request: DemoRequest) => void;

/**
 * A kind of traffic. It has a share of all requests, a rhythm over time, and acts in visits: one call
 * makes all requests of one visit. The timeline calls it as often as its share allows.
 */
export interface TrafficSource {
  /** Part of all requests over the window; shares are scaled to add up to 1. */
  share: number;
  /** Relative intensity around this moment, 1 on average. */
  rhythm(at: number): number;
  /** Makes one visit that starts at `at`. */
  visit(at: number, emit: Emit): void;
}
