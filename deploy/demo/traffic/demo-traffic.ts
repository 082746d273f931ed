import { DAY_MS } from '../../../shared/durations.js';
import { type Incidents, incidentsOf, type TimeSpan } from './calendar.js';
import { createCrawlers } from './crawlers.js';
import type { DemoRequest } from './demo-request.js';
import { createAiVisitors, createPeople } from './people.js';
import { createScanners } from './scanners.js';
import { createScene } from './scene.js';
import type { Site } from './site.js';

export interface DemoOptions {
  /** The same seed, end and size give exactly the same requests. */
  seed: string;
  days: number;
  /** Mean number of requests per day. */
  requestsPerDay: number;
  /** Milliseconds since the epoch, exclusive. */
  end: number;
  domain: string;
}

const SLICE_MS = 600_000;

/** The time that the traffic covers. */
export function demoWindow({ days, end }: Pick<DemoOptions, 'days' | 'end'>): TimeSpan {
  return { start: Math.round(end - days * DAY_MS), end };
}

/** Times of the outage and the slow deployment. */
export function demoIncidents(options: Pick<DemoOptions, 'days' | 'end'>): Incidents {
  return incidentsOf(demoWindow(options));
}

/** All resources of the shop with these options. */
export function demoSite({ seed, domain, ...options }: Omit<DemoOptions, 'requestsPerDay'>): Site {
  return createScene(seed, domain, demoWindow(options)).site;
}

/**
 * The requests of a mid-size shop in the order of time, about `days * requestsPerDay` of them. Only requests of current visits are in memory.
 * The timeline is divided into slices. In each slice, a source gets a budget of requests by its share, and spends it on visits.
 */
export function* demoTraffic({
  seed,
  domain,
  requestsPerDay,
  ...options
}: DemoOptions): Generator<DemoRequest, void, undefined> {
  const { start: first, end } = demoWindow(options);
  const scene = createScene(seed, domain, { start: first, end });
  const { random } = scene;
  const sources = [
    createPeople(scene, 0.575),
    createAiVisitors(scene, 0.022),
    ...createCrawlers(scene),
    createScanners(scene, 0.05),
  ];
  const shares = sources.reduce((sum, { share }) => sum + share, 0);
  const perSlice = (requestsPerDay * SLICE_MS) / DAY_MS / shares;
  // Each source starts with a random budget, so rare sources do not all start at once.
  const budgets = sources.map(({ share }) => -random.next() * Math.min(200, share * perSlice * 200));
  /** Requests by slice, since visits continue in later slices. */
  const pending = new Map<number, DemoRequest[]>();
  let made = 0;
  const emit = (request: DemoRequest) => {
    made++;
    const index = Math.floor((request.timestamp - first) / SLICE_MS);
    const slice = pending.get(index);
    if (slice === undefined) pending.set(index, [request]);
    else slice.push(request);
  };

  for (let index = 0; first + index * SLICE_MS < end; index++) {
    const start = first + index * SLICE_MS;
    const length = Math.min(SLICE_MS, end - start);
    for (const [place, source] of sources.entries()) {
      budgets[place]! += (perSlice * source.share * source.rhythm(start) * length) / SLICE_MS;
      while (budgets[place]! > 0) {
        made = 0;
        source.visit(start + random.next() * length, emit);
        budgets[place]! -= made;
      }
    }
    const slice = pending.get(index) ?? [];
    pending.delete(index);
    slice.sort((a, b) => a.timestamp - b.timestamp);
    for (const request of slice) if (request.timestamp < end) yield request;
  }
}
