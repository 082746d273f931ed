import type { DataChange } from '../../shared/changes/data-change.js';
import type { ControlPlane } from '../../shared/control/control-plane.js';
import { planOf } from '../../shared/control/domain/plans.js';
import { wasErased } from '../../shared/control/domain/state.js';
import { followLists } from '../../shared/crawlers/follow-lists.js';
import { type TableAge, watchTableAge } from '../../shared/crawlers/table-age.js';
import type { EventLog } from '../../shared/event-log/event-log.js';
import { type LocationDatabases, openLocationDatabases } from '../../shared/location/open-databases.js';
import { endOfDrain } from '../../shared/service/drain-time.js';
import type { NotReady } from '../../shared/service/readiness.js';
import type { Service } from '../../shared/service/service.js';
import type { ClickHouse } from '../../shared/store/client.js';
import { everything } from './block/kept-of-visitors.js';
import { startEnricher } from './enricher-service.js';
import { openEnrichment } from './open-enrichment.js';
import type { DnsHealth } from './verification/dns-verifier.js';
import { STUCK_AFTER_MS } from './watch-ranges.js';

/**
 * Retention of a website's rows in days if the control plane does not know the website, for example after its
 * deletion.
 */
const RETENTION_DAYS_UNKNOWN = 30;

export interface EnricherParts {
  readonly log: EventLog;
  readonly clickhouse: ClickHouse;
  readonly control: ControlPlane;
  /** Set if the process has loaded them already. */
  readonly databases?: LocationDatabases;
  /** Everything up to this offset of the partition is stored, dead, a repeat, or deleted by retention. */
  onDone?(partition: number, offset: number): void;
  /** Rows or verdicts may have changed in the store. A failed insert may have succeeded there. */
  onStored?(changes: Iterable<DataChange>): void;
}

export interface OpenEnricher {
  /** The reason if a range waits longer than STUCK_AFTER_MS. */
  notReady(): NotReady;
  /** State of the crawler tables and of the resolver, for `/readyz`. */
  verification(): { readonly crawler_tables: TableAge; readonly reverse_dns: DnsHealth };
}

/** Starts the enricher in the given process; it works when this resolves. */
export async function openEnricher(service: Service, parts: EnricherParts): Promise<OpenEnricher> {
  const { clickhouse, control } = parts;
  const { config, now, logger } = service;
  const retentionDaysOf = (websiteId: string) => retentionDays(control, websiteId, now());
  const privacyOf = (websiteId: string) => control.state().websites.get(websiteId)?.privacy ?? everything;
  const lists = followLists({ reader: clickhouse, now, logger });
  service.onStop(async () => lists.stop());
  await lists.ready;
  const enrichment = await openEnrichment({
    config,
    rules: lists.rules,
    families: lists.data().table.families,
    clickhouse,
    databases: parts.databases ?? openLocationDatabases(),
    now,
    logger,
    websiteDomain: (websiteId) => control.state().websites.get(websiteId)?.domain ?? null,
    retentionDays: retentionDaysOf,
    privacyOf,
    onVerdictsStored: parts.onStored,
  });
  service.onStop(() => enrichment.stop());
  const unwatchAge = watchTableAge(lists.data, service);
  service.onStop(async () => unwatchAge());
  const enricher = await startEnricher({
    ...parts,
    enrich: enrichment.enrich,
    retentionDays: retentionDaysOf,
    privacyOf,
    isErased: (websiteId) => wasErased(control.state(), 'website', websiteId),
    config,
    now,
    logger,
    registry: service.registry,
    drained: endOfDrain(service),
    onCrash: service.onCrash,
  });
  service.onStop(() => enricher.stop());
  return {
    notReady: () =>
      enricher.stuckSeconds() * 1000 < STUCK_AFTER_MS
        ? null
        : 'a planned range of requests has waited for ClickHouse for a minute',
    verification: () => ({ crawler_tables: lists.age(), reverse_dns: enrichment.reverseDns() }),
  };
}

function retentionDays(control: ControlPlane, websiteId: string, at: number): number {
  const { websites, organisations } = control.state();
  const organisation = organisations.get(websites.get(websiteId)?.organisationId ?? '');
  return organisation === undefined ? RETENTION_DAYS_UNKNOWN : planOf(organisation, at).retentionDays;
}
