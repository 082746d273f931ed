import { type Incidents, within } from './calendar.js';
import type { Client, DemoRequest } from './demo-request.js';
import type { Random } from './random.js';
import type { Resource } from './resource.js';

/** How a request is made, beyond who asks for what. */
export interface Manner {
  method?: string;
  referrer?: string;
  host?: string;
  /** The client holds a copy and asks whether it still holds: 304 if so. */
  revalidates?: boolean;
  /** What the firewall answers in the servers' place (403, 429). */
  refusedWith?: number;
}

/** The shop's CDN and servers: makes the log record of a client's request for a resource. */
export type ShopServer = (client: Client, wanted: Resource, at: number, manner?: Manner) => DemoRequest;

const plain: Manner = {};
const ERROR_PAGE_BYTES = 5_300;
const TIMEOUT_MS = 30_000;

export function createShopServer(domain: string, incidents: Incidents, random: Random): ShopServer {
  const spread = latencySpread(random);
  const hex = Array.from({ length: 65_536 }, (_, value) => value.toString(16).padStart(4, '0'));
  const requestId = () => {
    const high = random.bits();
    const low = random.bits();
    return hex[high >>> 16]! + hex[high & 65_535]! + hex[low >>> 16]! + hex[low & 65_535]!;
  };

  return (client, wanted, at, manner = plain) => {
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
      request_id: requestId(),
      cache_status: 'dynamic',
      content_type: wanted.contentType,
      source_country: client.country,
      actor: client.actor,
      bot: client.bot,
    };
    if (manner.refusedWith !== undefined) return refuse(record, manner.refusedWith);
    if (manner.host !== undefined && manner.host !== domain) return refuse(record, 301);
    if (random.next() < wanted.cached) serveFromCache(record, wanted, manner);
    else serveFromOrigin(record, wanted, manner);
    return record;
  };

  function serveFromCache(record: DemoRequest, wanted: Resource, manner: Manner): void {
    record.cache_status = 'hit';
    finish(record, wanted, manner);
  }

  function serveFromOrigin(record: DemoRequest, wanted: Resource, manner: Manner): void {
    const { timestamp } = record;
    if (within(incidents.outage, timestamp) && random.next() < 0.88) {
      fail(record);
      return;
    }
    const strain = within(incidents.deploy, timestamp) ? 4.5 : 1;
    const deployError = strain > 1 && random.next() < 0.025;
    // A handful of errors on any day keeps the quiet hours from looking unreal.
    if (deployError || random.next() < 0.0006) {
      breakOff(record, deployError ? 500 : random.pick([500, 502, 504]), 40 + random.int(900));
      return;
    }
    if (wanted.failing !== undefined && random.next() < wanted.failing) {
      breakOff(record, 500, 30 + random.int(200));
      return;
    }
    record.time_taken_ms = Math.max(1, Math.round(wanted.latencyMs * strain * spread[random.int(1024)]!));
    record.cache_status =
      wanted.cached === 0 ? (wanted.kind === 'private' ? 'bypass' : 'dynamic') : missKind(random);
    // The longer a page takes, the likelier its visitor has left before it came: nginx's 499.
    if (record.actor === 'human' && random.next() < (record.time_taken_ms - 1_000) / 20_000) {
      record.status = 499;
      return;
    }
    finish(record, wanted, manner);
  }

  function finish(record: DemoRequest, wanted: Resource, manner: Manner): void {
    if (wanted.status !== 200) {
      record.bytes_sent = wanted.status === 404 ? ERROR_PAGE_BYTES : 162;
      record.content_type = 'text/html';
    } else if (manner.revalidates === true) {
      record.status = 304;
      if (record.cache_status !== 'hit') record.cache_status = 'revalidated';
    } else if (record.method !== 'HEAD') {
      record.bytes_sent = wanted.kind === 'image' ? wanted.bytes : wanted.bytes + random.int(600);
    }
  }

  function fail(record: DemoRequest): void {
    const draw = random.next();
    if (draw < 0.45) breakOff(record, 502, 5 + random.int(60));
    else if (draw < 0.78) breakOff(record, 503, 2 + random.int(20));
    else breakOff(record, 504, TIMEOUT_MS + random.int(40));
  }
}

function refuse(record: DemoRequest, status: number): DemoRequest {
  record.status = status;
  record.bytes_sent = 162;
  record.content_type = 'text/html';
  return record;
}

function breakOff(record: DemoRequest, status: number, timeTakenMs: number): void {
  record.status = status;
  record.time_taken_ms = timeTakenMs;
  record.bytes_sent = 557;
  record.content_type = 'text/html';
}

function missKind(random: Random): 'miss' | 'expired' {
  return random.next() < 0.7 ? 'miss' : 'expired';
}

/** Log-normal factors with median 1: most answers near the typical time, a long tail of slow ones. */
function latencySpread(random: Random): Float64Array {
  return Float64Array.from({ length: 1024 }, () => {
    const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
    return Math.exp(0.42 * normal);
  });
}
