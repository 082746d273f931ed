import type { ControlPlane } from '../../shared/control/control-plane.js';
import type { KeyRing } from '../../shared/control/sealing/key-ring.js';
import { createSnapshotStore } from '../../shared/control/snapshot/snapshot-store.js';
import type { EventLog } from '../../shared/event-log/event-log.js';
import { createDeferred, deferredControlPlane } from '../../shared/service/deferred.js';
import type { Service } from '../../shared/service/service.js';
import type { ClickHouse } from '../../shared/store/client.js';
import type { UploadsRecord } from '../../shared/uploads/uploads-codec.js';
import { createUsageCounter } from '../../shared/usage/usage-counter.js';
import { followUploads } from './arrivals/follow-uploads.js';
import { createKnownUploads } from './arrivals/known-uploads.js';
import { type FollowedUploads, followPendingUploads } from './arrivals/pending-uploads.js';
import { type ApiParts, openApi } from './open-api.js';
import { openProjection } from './projections/open-projection.js';

/**
 * The API with its counters, tables and control-plane parts, the same for every program. The program reports when the API may listen and
 * when the control plane is ready, in either order. Until both are done, calls are refused with Retry-After.
 * @param base outlives the running calls: services opened here stop after the listener.
 */
export function composeApi(base: Service, clickhouse: ClickHouse) {
  const control = createDeferred<ControlPlane>();
  const ring = createDeferred<KeyRing>();
  const projection = openProjection(base, clickhouse);
  const uploads = createKnownUploads();
  let pending: FollowedUploads | null = null;
  // Counts of rows are shared many times a second, also during an upload.
  const usage = createUsageCounter(base.newId(), (websiteId, bucket) => {
    if (bucket === 'ingest_rows') pending?.notify(websiteId);
  });
  return {
    /** Share this (shared/usage/share-usage.ts) before the control plane is ready: no call may pass before the used quota is known. */
    usage,
    /** Adds upload records of ingest in this process, faster than through the log. */
    addUploads: (record: UploadsRecord) => uploads.merge(record, base.now()),
    /** Reads upload records of ingest from this log, and follows how far they are stored. */
    followUploads(log: EventLog) {
      followUploads(base, { log, uploads });
      pending = followPendingUploads(base, { log, uploads });
    },
    /** Options for opening the control plane. */
    controlWishes: {
      snapshots: createSnapshotStore(clickhouse, base.logger),
      onApplied: projection.onApplied,
      beforeSnapshot: projection.flushed,
    },
    /** Calls are answered from now on. */
    serve(parts: { readonly control: ControlPlane; readonly ring: KeyRing }) {
      ring.set(parts.ring);
      control.set(parts.control);
    },
    /** Resolves when the API listens. */
    listen: (
      service: Service,
      {
        notReady = () => null,
        ...parts
      }: Pick<ApiParts, 'asnOf' | 'urls' | 'dataVersions'> &
        Partial<Pick<ApiParts, 'notReady' | 'about' | 'loadDemo' | 'mostReadsAtOnce'>>,
    ) =>
      openApi(service, {
        ...parts,
        clickhouse,
        projection,
        usage,
        uploads,
        pendingUploads: { storedThrough: async (websiteId) => pending?.storedThrough(websiteId) ?? null },
        control: deferredControlPlane(control),
        ring: {
          keyOf: async (organisationId) => ring.get().keyOf(organisationId),
          find: async (name) => ring.get().find(name),
        },
        notReady: () => notReady() ?? (control.isThere() ? null : 'starting: waiting for the control events'),
      }),
  };
}
