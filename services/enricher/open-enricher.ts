import type { ClickHouse } from '../../shared/clickhouse/client.js';
import type { ControlPlane } from '../../shared/control/control-plane.js';
import { planOf } from '../../shared/control/plans.js';
import { wasErased } from '../../shared/control/state.js';
import type { EventLog } from '../../shared/event-log/event-log.js';
import type { AsnTable } from '../../shared/location/asn-table.js';
import type { Service } from '../../shared/service/service.js';
import { openEnrichment } from './open-enrichment.js';
import { startEnricher } from './service.js';

/** Rows of a website that the control plane does not know (any more) are kept this long. */
const RETENTION_DAYS_UNKNOWN = 30;

export interface EnricherParts {
  readonly log: EventLog;
  readonly clickhouse: ClickHouse;
  readonly control: ControlPlane;
  /** So many requests more are stored, or dead. */
  onDone?(requests: number): void;
}

/**
 * The enricher in the process that it is given, at work when this resolves.
 * @returns the table of networks that it holds in memory anyway.
 */
export async function openEnricher(service: Service, parts: EnricherParts): Promise<{ asnTable: AsnTable }> {
  const { clickhouse, control } = parts;
  const { config, now, logger } = service;
  const enrichment = await openEnrichment({
    config,
    clickhouse,
    now,
    logger,
    websiteDomain: (websiteId) => control.state().websites.get(websiteId)?.domain ?? null,
  });
  service.onStop(() => enrichment.stop());
  const enricher = await startEnricher({
    ...parts,
    enrich: enrichment.enrich,
    retentionDays: (websiteId) => retentionDays(control, websiteId, now()),
    isErased: (websiteId) => wasErased(control.state(), 'website', websiteId),
    config,
    now,
    logger,
    registry: service.registry,
    onCrash: service.onCrash,
  });
  service.onStop(() => enricher.stop());
  return { asnTable: enrichment.asnTable };
}

function retentionDays(control: ControlPlane, websiteId: string, at: number): number {
  const { websites, organisations } = control.state();
  const organisation = organisations.get(websites.get(websiteId)?.organisationId ?? '');
  return organisation === undefined ? RETENTION_DAYS_UNKNOWN : planOf(organisation, at).retentionDays;
}
