import type { ControlPlane } from '../../shared/control/control-plane.js';
import { findIngestKey } from '../../shared/control/domain/keys.js';
import { planOf } from '../../shared/control/domain/plans.js';
import type { ControlState } from '../../shared/control/domain/state.js';
import type { EventLog } from '../../shared/event-log/event-log.js';
import { type NotReady, STOPPING } from '../../shared/service/readiness.js';
import type { Service } from '../../shared/service/service.js';
import type { UploadsRecord } from '../../shared/uploads/uploads-codec.js';
import type { UsageCounter } from '../../shared/usage/usage-counter.js';
import type { IngestKeyOwner } from './admission/authenticate.js';
import { type IngestService, startIngest } from './ingest-service.js';
import { createOutcomes } from './outcomes/collect-outcomes.js';
import { publishOutcomes } from './outcomes/publish-outcomes.js';

export interface IngestParts {
  readonly log: EventLog;
  readonly control: ControlPlane;
  /** Its creator shares it over the log (shared/usage/share-usage.ts). */
  readonly usage: UsageCounter;
  readonly notReady: () => NotReady;
  /** Gets each record of the topic `uploads` at once. Default: no listener in this process. */
  readonly onUploads?: (record: UploadsRecord) => void;
}

/** Opens the ingest endpoint in a process. It listens when this resolves. */
export async function openIngest(
  service: Service,
  { log, control, usage, notReady, onUploads }: IngestParts,
): Promise<IngestService> {
  const outcomes = createOutcomes({ replicaId: service.newId(), now: service.now, onUploads });
  // It stops after the listener, so that the last upload is reported too.
  publishOutcomes(service, { log, outcomes });
  const ingest = await startIngest({
    log,
    outcomes,
    findKeyOwner: (key) => ownerOf(control.state(), key, service.now()),
    usage,
    notReady: () => (service.stopping.aborted ? STOPPING : notReady()),
    config: service.config,
    now: service.now,
    newUploadId: service.newId,
    newRequestId: service.newId,
    logger: service.logger,
    metrics: service.registry,
  });
  service.onStop(() => ingest.stop());
  service.logger.info({ port: ingest.port }, 'ingest listening');
  return ingest;
}

/** @param now milliseconds since the epoch */
function ownerOf(state: ControlState, clearKey: string, now: number): IngestKeyOwner | null {
  const key = findIngestKey(state, clearKey);
  const organisation = key === null ? undefined : state.organisations.get(key.organisationId);
  if (key === null || organisation === undefined) return null;
  const { websiteId, organisationId, id: keyId } = key;
  return { websiteId, organisationId, keyId, plan: planOf(organisation, now) };
}
