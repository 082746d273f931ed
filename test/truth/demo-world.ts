import type { DemoRequest } from '../../deploy/demo/traffic/demo-request.js';
import { type DemoOptions, demoTraffic } from '../../deploy/demo/traffic/demo-traffic.js';
import { packUploads } from '../../deploy/demo/uploads.js';
import { createEnrich } from '../../services/enricher/enrich.js';
import { encodeRecords } from '../../services/enricher/sink/range/encode-records.js';
import { requestColumns } from '../../services/enricher/sink/range/encode-rows.js';
import { createLocateStep } from '../../services/enricher/steps/locate.js';
import { type CrawlerRules, createCrawlerRules } from '../../shared/crawlers/crawler-rules.js';
import type { AskDns } from '../../shared/crawlers/judge-request.js';
import { loadReferrerList } from '../../shared/crawlers/referrers.js';
import type { LogRecord } from '../../shared/event-log/event-log.js';
import { inPieces } from '../../shared/pacing/in-pieces.js';
import { encodeRawBlock } from '../../shared/requests/columns/raw-block-codec.js';
import type { ClickHouseWriter } from '../../shared/store/client.js';
import { startTestClickHouse } from '../harness/clickhouse.js';
import { takeBody } from '../harness/ingest/take-body.js';
import { ruleDataOfDay } from '../harness/rules-of-day.js';
import { insertVerdicts } from '../harness/stored-verdicts.js';
import { claimOf } from './demo-crawlers.js';
import { demoRows, LINES_PER_UPLOAD, networkOf, SILENT_FAMILY } from './demo-rows.js';
import { type TruthWorld, truthWorldOf } from './truth-world.js';

/**
 * A week of the demo's traffic through the whole write path (parsed, classified, located, encoded, stored),
 * and the rows that must result from it (demo-rows.ts).
 */

export const DOMAIN = 'shop.example';
/** Three days into a month, so that the week is in two months. */
export const DEMO_NOW = Date.UTC(2026, 10, 3, 14, 37, 21, 123);
const RETENTION_DAYS = 25_000;
const UPLOADS_PER_INSERT = 8;

export const demoWeek = (requestsPerDay: number): DemoRequest[] => {
  const options: DemoOptions = { seed: 'truth', days: 7, requestsPerDay, end: DEMO_NOW, domain: DOMAIN };
  return [...demoTraffic(options)];
};

export interface LoadOptions {
  readonly websiteId: string;
  readonly rules: CrawlerRules;
  readonly askDns: AskDns;
}

/** @throws Error if a line is refused or a block cannot be stored */
export async function loadDemo(
  writer: ClickHouseWriter,
  requests: readonly DemoRequest[],
  { websiteId, rules, askDns }: LoadOptions,
): Promise<void> {
  const enrich = createEnrich({
    rules,
    dnsVerifier: { verdictOf: askDns },
    locate: createLocateStep({ ...databasesOf(requests), cacheSize: 10_000 }),
    referrers: loadReferrerList(),
    websiteDomain: () => DOMAIN,
    retentionDays: () => RETENTION_DAYS,
  });
  const records = recordsOf(requests, websiteId);
  for (const some of inPieces(records, UPLOADS_PER_INSERT)) {
    const { body, dead } = await encodeRecords(some, { enrich, retentionDays: () => RETENTION_DAYS });
    if (dead.length > 0) throw new Error(dead[0]!.reason);
    await writer.insert({
      table: 'requests',
      columns: requestColumns,
      rows: body,
      format: 'Native',
      deduplicationToken: `${websiteId} ${some[0]!.offset}`,
    });
  }
}

/** The demo's uploads, each as the one block that ingest creates. */
function recordsOf(requests: readonly DemoRequest[], websiteId: string): LogRecord[] {
  const records: LogRecord[] = [];
  for (const { body, lines } of packUploads(requests, 'mixed', LINES_PER_UPLOAD)) {
    const { tally, requests: parsed, refusal } = takeBody(body, { now: DEMO_NOW });
    if (refusal !== null || parsed.length !== lines) throw new Error(JSON.stringify(tally));
    const block = {
      website_id: websiteId,
      source: tally.source!,
      upload_id: `upload-${records.length}`,
      received_at: DEMO_NOW,
      requests: [...parsed],
    };
    const place = { partition: 0, offset: records.length, key: websiteId, appendedAt: DEMO_NOW };
    records.push({ ...place, value: encodeRawBlock(block) });
  }
  return records;
}

/** Databases of places and networks with the demo's addresses. */
function databasesOf(requests: readonly DemoRequest[]) {
  const countries = new Map(requests.map(({ client_ip, source_country }) => [client_ip, source_country]));
  for (const { client_ip, source_country } of requests)
    if (countries.get(client_ip) !== source_country) throw new Error(`${client_ip} is in two countries`);
  return {
    findPlace: (clientIp: string) => ({ country: countries.get(clientIp) ?? '', region: '', city: '' }),
    asnTable: {
      networkOf(address: number | Uint32Array | null) {
        const { asn, as_name } = networkOf(typeof address === 'number' ? `${address >>> 24}.0.0.0` : '::');
        return { asn, name: as_name };
      },
      nameOf: () => '',
    },
  };
}

/** Requests of an address before reverse DNS answers. */
const DNS_TAKES_REQUESTS = 5;

/** Reverse DNS with the crawlers' own addresses. Its answers are too late for an address's first requests. */
export function lateDns(requests: readonly DemoRequest[]) {
  const own = new Set<string>();
  for (const request of requests) {
    const claim = claimOf(request);
    if (claim !== null && request.actor !== 'spoofed_bot') own.add(`${claim.family} ${request.client_ip}`);
  }
  const asked = new Map<string, { family: string; clientIp: string; times: number }>();
  const verdictOf = ({ family, clientIp }: { family: string; clientIp: string }) =>
    own.has(`${family} ${clientIp}`) ? ('verified' as const) : ('spoofed' as const);
  const askDns: AskDns = (family, clientIp) => {
    if (family === SILENT_FAMILY) return 'pending';
    const claim = asked.get(`${family} ${clientIp}`) ?? { family, clientIp, times: 0 };
    asked.set(`${family} ${clientIp}`, claim);
    claim.times += 1;
    return claim.times > DNS_TAKES_REQUESTS ? verdictOf(claim) : 'pending';
  };
  const verdicts = () =>
    [...asked.values()].map(({ family, clientIp }) => ({
      family,
      clientIp,
      status: verdictOf({ family, clientIp }),
    }));
  return { askDns, verdicts };
}

export interface DemoWorld extends TruthWorld {
  readonly week: readonly DemoRequest[];
}

/** The week of the website `shop`; the website `silent` has none. */
export async function startDemoWorld(requestsPerDay: number): Promise<DemoWorld> {
  const week = demoWeek(requestsPerDay);
  const engine = await startTestClickHouse();
  const rules = createCrawlerRules(ruleDataOfDay(new Date(DEMO_NOW).toISOString().slice(0, 10)));
  const { askDns, verdicts } = lateDns(week);
  await loadDemo(engine.clickhouse, week, { websiteId: 'shop', rules, askDns });
  const decided = verdicts().map((one) => ({ ...one, websiteId: 'shop', decidedAt: DEMO_NOW }));
  await insertVerdicts(engine.clickhouse, decided, 'verdicts');
  const rows = demoRows(week, {
    websiteId: 'shop',
    domain: DOMAIN,
    rulesVersion: rules.versionAt(DEMO_NOW),
  });
  const requests = { shop: rows, silent: [] };
  // The generated rows contain each future verdict from the start.
  const world = truthWorldOf(engine, { requests, verdicts: [], now: DEMO_NOW, domain: DOMAIN });
  return { ...world, week };
}
