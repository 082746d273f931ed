import { demoTraffic } from '../../../deploy/demo/traffic/demo-traffic.js';
import { emptyCounts } from '../../../services/detector/counts/span-counts.js';
import { newWebsiteState } from '../../../services/detector/evaluation/website-state.js';
import { everything } from '../../../services/enricher/block/kept-of-visitors.js';
import { createEnrich } from '../../../services/enricher/enrich.js';
import { createLocateStep } from '../../../services/enricher/steps/locate.js';
import type { Alert } from '../../../shared/alerts/alert.js';
import { defaultAlertSettings } from '../../../shared/alerts/settings.js';
import { createCrawlerRules, loadRuleData } from '../../../shared/crawlers/crawler-rules.js';
import { loadReferrerList } from '../../../shared/crawlers/referrers.js';
import { INTERVAL_MS } from '../../../shared/detection/health-metrics.js';
import { DAY_MS } from '../../../shared/durations.js';
import { openLocationDatabases } from '../../../shared/location/open-databases.js';
import { inPieces } from '../../../shared/pacing/in-pieces.js';
import { columnsOf } from '../columns-of.js';
import { enrichmentAt } from '../enrich-each.js';
import { closeWith } from './close-with.js';
import { type CountedRow, countRows } from './count-rows.js';

/** Imports days of the demo shop for a new website, and returns the alerts of the detector's core. */

const WEBSITE = 'w';

export interface DemoDays {
  readonly seed: string;
  readonly days: number;
  readonly requestsPerDay: number;
  /** Milliseconds since the epoch, the start of a day. */
  readonly end: number;
}

/** @returns new alerts, without their repeats */
export function alertsOfImport(options: DemoDays): readonly Alert[] {
  const byInterval = rowsByInterval(options);
  const state = newWebsiteState(WEBSITE);
  const given = {
    settings: defaultAlertSettings,
    suppressed: new Set<string>(),
    sharedNetworkOf: () => null,
  };
  const fired: Alert[] = [];
  for (let start = options.end - options.days * DAY_MS; start < options.end; start += INTERVAL_MS) {
    const due = { start, end: start + INTERVAL_MS };
    const { alerts } = closeWith(state, due, given, ({ start: from, end: to, lists }) => {
      const rows: CountedRow[] = [];
      for (let at = from; at < to; at += INTERVAL_MS) rows.push(...(byInterval.get(at) ?? []));
      const counts = countRows(rows, { websiteIds: [WEBSITE], from, to, lengthMs: to - from, lists });
      return counts.get(WEBSITE)?.get(from) ?? emptyCounts(from);
    });
    fired.push(...alerts.filter(({ occurrences }) => occurrences === 1));
  }
  return fired;
}

/** The requests in the enricher's stored form. Reverse DNS classifies the demo's impostors. */
function rowsByInterval(options: DemoDays): Map<number, CountedRow[]> {
  const requests = [...demoTraffic({ ...options, domain: 'shop.example' })];
  const impostors = new Set(
    requests.flatMap(({ actor, client_ip }) => (actor === 'spoofed_bot' ? client_ip : [])),
  );
  const enrich = createEnrich({
    rules: createCrawlerRules(loadRuleData()),
    dnsVerifier: { verdictOf: (_family, ip) => (impostors.has(ip) ? 'spoofed' : 'verified') },
    locate: createLocateStep({ ...openLocationDatabases(), cacheSize: 10_000 }),
    referrers: loadReferrerList(),
    websiteDomain: () => 'shop.example',
    retentionDays: () => 400,
    privacyOf: () => everything,
  });
  const byInterval = new Map<number, CountedRow[]>();
  for (const some of inPieces(requests, 5_000)) {
    const columns = columnsOf(
      some.map((request) => ({ ...request, source_asn: null, cdn_bot_category: '' })),
    );
    const block = enrich({
      ...{ website_id: WEBSITE, source: 'loglane', upload_id: 'u', received_at: options.end, columns },
    });
    for (const [row, request] of some.entries()) {
      const at = request.timestamp - (request.timestamp % INTERVAL_MS);
      const known = byInterval.get(at) ?? [];
      known.push({ ...request, ...enrichmentAt(block, row), website_id: WEBSITE });
      byInterval.set(at, known);
    }
  }
  return byInterval;
}
