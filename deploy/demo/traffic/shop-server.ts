import { type Incidents, within } from './calendar.js';
import type { Client, DemoRequest } from './demo-request.js';
import { drawn, type Random } from './random.js';
import type { Resource } from './resource.js';

/** Properties of a request besides client and resource. */
export interface Manner {
  method?: string;
  referrer?: string;
  host?: string;
  /** The client revalidates its cached copy: 304 if it is current. */
  revalidates?: boolean;
  /** Status of a refusal by the firewall (403, 429). */
  refusedWith?: number;
}

/** The shop's CDN and servers: returns the log record of a client's request for a resource. */
export type ShopServer = (client: Client, wanted: Resource, at: number, manner?: Manner) => DemoRequest;

const TIMEOUT_MS = 30_000;
/** Share of failing answers on a normal day; without them, quiet hours are unrealistic. */
const FAILING = 0.0006;
const outageStatus = drawn({ 502: 45, 503: 33, 504: 22 });

export function createShopServer(domain: string, incidents: Incidents, random: Random): ShopServer {
  const spread = latencySpread(random);
  const hex = () => random.bits().toString(16).padStart(8, '0');

  return (client, wanted, at, manner = {}) => {
    const record: DemoRequest = {
      timestamp: Math.floor(at),
      client_ip: client.ip,
      method: manner.method ?? 'GET',
      host: manner.host ?? domain,
      target: wanted.target,
      protocol: client.protocol,
      status: wanted.status,
      bytes_sent: 0,
      time_taken_ms: 1 + random.int(6),
      user_agent: client.userAgent,
      referrer: manner.referrer ?? '',
      request_id: hex() + hex(),
      cache_status: 'dynamic',
      content_type: wanted.contentType,
      source_country: client.country,
      actor: client.actor,
      bot: client.bot,
    };
    if (manner.refusedWith !== undefined) end(record, manner.refusedWith, 162);
    else if (record.host !== domain) end(record, 301, 162);
    else if (random.chance(wanted.cached)) {
      record.cache_status = 'hit';
      finish(record, wanted, manner);
    } else serveFromOrigin(record, wanted, manner);
    return record;
  };

  function serveFromOrigin(record: DemoRequest, wanted: Resource, manner: Manner): void {
    const isDown = within(incidents.outage, record.timestamp);
    const isDeploying = within(incidents.deploy, record.timestamp);
    const failing = isDown ? 0.88 : Math.max(wanted.failing, isDeploying ? 0.025 : FAILING);
    if (random.chance(failing)) {
      const status = isDown ? Number(outageStatus(random)) : 500;
      end(record, status, 557);
      record.time_taken_ms = status === 504 ? TIMEOUT_MS : 5 + random.int(isDown ? 60 : 900);
      return;
    }
    const strain = isDeploying ? 4.5 : 1;
    record.time_taken_ms = Math.max(1, Math.round(wanted.latencyMs * strain * random.pick(spread)));
    if (wanted.cached > 0) record.cache_status = random.chance(0.7) ? 'miss' : 'expired';
    else if (wanted.kind === 'private') record.cache_status = 'bypass';
    // Slow pages make visitors leave before the answer: nginx's 499.
    if (record.actor === 'human' && random.chance((record.time_taken_ms - 1_000) / 20_000))
      record.status = 499;
    else finish(record, wanted, manner);
  }

  function finish(record: DemoRequest, wanted: Resource, manner: Manner): void {
    if (wanted.status !== 200) end(record, wanted.status, wanted.status === 404 ? 5_300 : 162);
    else if (manner.revalidates === true) {
      record.status = 304;
      if (record.cache_status !== 'hit') record.cache_status = 'revalidated';
    } else if (record.method !== 'HEAD') {
      record.bytes_sent = wanted.kind === 'image' ? wanted.bytes : wanted.bytes + random.int(600);
    }
  }
}

function end(record: DemoRequest, status: number, bytes: number): void {
  Object.assign(record, { status, bytes_sent: bytes, content_type: 'text/html' });
}

/** Log-normal factors with median 1: most answers take about the typical time, with a long tail of slow ones. */
function latencySpread(random: Random): number[] {
  return Array.from({ length: 1024 }, () => {
    const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
    return Math.exp(0.42 * normal);
  });
}
