import { Resolver } from 'node:dns/promises';
import type { DataChange } from '../../shared/changes/data-change.js';
import type { Config } from '../../shared/config.js';
import type { CrawlerRules } from '../../shared/crawlers/crawler-rules.js';
import { loadReferrerList } from '../../shared/crawlers/referrers.js';
import type { FamilyEntry } from '../../shared/crawlers/table-schema.js';
import type { LocationDatabases } from '../../shared/location/open-databases.js';
import type { Logger } from '../../shared/logging/log.js';
import type { ClickHouse } from '../../shared/store/client.js';
import type { KeptOfVisitors } from './block/kept-of-visitors.js';
import { createEnrich } from './enrich.js';
import { createLocateStep } from './steps/locate.js';
import { createCheckedResolver } from './verification/checked-resolver.js';
import { createDnsVerifier } from './verification/dns-verifier.js';
import { createVerdictStore, readVerdicts } from './verification/store-verdicts.js';

/** Most cached verdicts, and most cached locations; an entry has about 200 bytes. */
const CACHED_ADDRESSES = 200_000;
const CONCURRENT_LOOKUPS = 32;

export interface EnrichmentDependencies {
  readonly config: Pick<Config, 'DNS_LOOKUPS_PER_SECOND' | 'DNS_TIMEOUT_MS'>;
  readonly clickhouse: ClickHouse;
  readonly databases: LocationDatabases;
  readonly rules: CrawlerRules;
  readonly families: readonly FamilyEntry[];
  now(): number;
  readonly logger: Logger;
  websiteDomain(websiteId: string): string | null;
  retentionDays(websiteId: string): number;
  privacyOf(websiteId: string): KeptOfVisitors;
  /** Verdicts may have changed in the store. */
  readonly onVerdictsStored?: ((changes: Iterable<DataChange>) => void) | undefined;
}

/** Connects the enrichment steps with the network and the store. */
export async function openEnrichment({
  config,
  clickhouse,
  databases,
  rules,
  families,
  now,
  logger,
  websiteDomain,
  retentionDays,
  privacyOf,
  onVerdictsStored,
}: EnrichmentDependencies) {
  const verdicts = createVerdictStore(clickhouse, logger, onVerdictsStored);
  const dnsVerifier = createDnsVerifier({
    families,
    resolver: createCheckedResolver(new Resolver({ timeout: config.DNS_TIMEOUT_MS, tries: 1 }), now),
    now,
    lookupsPerSecond: config.DNS_LOOKUPS_PER_SECOND,
    timeoutMs: config.DNS_TIMEOUT_MS,
    cacheSize: CACHED_ADDRESSES,
    concurrency: CONCURRENT_LOOKUPS,
    // If addresses expire before the rows, no row waits for a verdict (enrich.ts).
    onVerdict: (verdict) => {
      if (privacyOf(verdict.websiteId).addressDays === null) verdicts.add(verdict);
    },
  });
  // Only an optimisation: without it addresses are looked up again.
  dnsVerifier.seed(
    await readVerdicts(clickhouse).catch((error) => {
      logger.warn({ err: error }, 'earlier verdicts not read');
      return [];
    }),
  );
  return {
    enrich: createEnrich({
      rules,
      dnsVerifier,
      locate: createLocateStep({ ...databases, cacheSize: CACHED_ADDRESSES }),
      referrers: loadReferrerList(),
      websiteDomain,
      retentionDays,
      privacyOf,
    }),
    reverseDns: dnsVerifier.health,
    async stop() {
      dnsVerifier.stop();
      await verdicts.stop();
    },
  };
}
