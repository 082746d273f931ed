import { DAY_MS } from '../../../shared/durations.js';
import { type Incidents, incidentsOf, type TimeSpan } from './calendar.js';
import { createCrawlers, createImpostors, createUndeclaredAgents, createUnknownBots } from './crawlers.js';
import type { DemoRequest } from './demo-request.js';
import { createMonitors } from './monitors.js';
import { createAiVisitors, createPeople } from './people.js';
import { createRandom } from './random.js';
import { createScanners } from './scanners.js';
import { createShopServer } from './shop-server.js';
import { createSite, type Site } from './site.js';
import type { Scene, TrafficSource } from './source.js';

export interface DemoOptions {
  /** The same seed, end and size give the same requests, to the last byte. */
  seed: string;
  days: number;
  /** Scale: requests a day, on average. */
  requestsPerDay: number;
  /** End of the time told, milliseconds since the epoch; the last request lies before it. */
  end: number;
  domain: string;
}

const SLICE_MS = 600_000;

/** The time that the traffic covers. */
export function demoWindow({ days, end }: Pick<DemoOptions, 'days' | 'end'>): TimeSpan {
  return { start: Math.round(end - days * DAY_MS), end };
}

/** When the outage and the slow deployment happen in it. */
export function demoIncidents(options: Pick<DemoOptions, 'days' | 'end'>): Incidents {
  return incidentsOf(demoWindow(options));
}

/**
 * The requests of a mid-size shop in the order of time, about `days * requestsPerDay` of them. Memory
 * holds the requests of the visits in progress, never the whole.
 */
export function* demoTraffic(options: DemoOptions): Generator<DemoRequest, void, undefined> {
  for (const slice of slices(options)) {
    for (const request of slice) yield request;
  }
}

/** Everything that the shop of these options serves. */
export function demoSite(options: Omit<DemoOptions, 'requestsPerDay'>): Site {
  return createScene(options).site;
}

function createScene({ seed, domain, ...options }: Omit<DemoOptions, 'requestsPerDay'>): Scene {
  const random = createRandom(seed);
  const window = demoWindow(options);
  const incidents = incidentsOf(window);
  // The order decides what each draws.
  const serve = createShopServer(domain, incidents, random);
  return { site: createSite(random), serve, random, domain, incidents, window };
}

function sources(scene: Scene): TrafficSource[] {
  return [
    createPeople(scene, 0.575),
    createAiVisitors(scene, 0.022),
    ...createCrawlers(scene),
    ...createImpostors(scene, 0.016),
    ...createUndeclaredAgents(scene, 0.006),
    ...createUnknownBots(scene, 0.003),
    createScanners(scene, 0.05),
    ...createMonitors(scene),
  ];
}

/** The timeline cut into slices: each source pays for its visits out of a budget that its share refills. */
function* slices(options: DemoOptions): Generator<DemoRequest[], void, undefined> {
  const scene = createScene(options);
  const { random, window } = scene;
  const all = sources(scene);
  const shares = all.reduce((sum, source) => sum + source.share, 0);
  const perSlice = (options.requestsPerDay * SLICE_MS) / DAY_MS / shares;
  // Each source starts somewhere in its first visit, so that rare ones do not all act at once.
  const budgets = all.map((source) => -random.next() * Math.min(200, source.share * perSlice * 200));
  /** Requests by the slice they fall into: visits go on into later slices. */
  const pending = new Map<number, DemoRequest[]>();
  let made = 0;
  const emit = (request: DemoRequest) => {
    made++;
    const index = Math.floor((request.timestamp - window.start) / SLICE_MS);
    const slice = pending.get(index);
    if (slice === undefined) pending.set(index, [request]);
    else slice.push(request);
  };

  const count = Math.ceil((window.end - window.start) / SLICE_MS);
  for (let index = 0; index < count; index++) {
    const start = window.start + index * SLICE_MS;
    const length = Math.min(SLICE_MS, window.end - start);
    all.forEach((source, at) => {
      budgets[at]! += (perSlice * source.share * source.rhythm(start) * length) / SLICE_MS;
      while (budgets[at]! > 0) {
        made = 0;
        source.visit(start + random.next() * length, emit);
        budgets[at]! -= made;
      }
    });
    const slice = pending.get(index) ?? [];
    pending.delete(index);
    slice.sort((a, b) => a.timestamp - b.timestamp);
    yield slice.at(-1) !== undefined && slice.at(-1)!.timestamp >= window.end
      ? slice.filter((request) => request.timestamp < window.end)
      : slice;
  }
}
