import type { ControlPlane } from '../../shared/control/control-plane.js';
import { createSnapshotStore } from '../../shared/control/snapshot/snapshot-store.js';
import type { EventLog } from '../../shared/event-log/event-log.js';
import { createDeferred, deferredControlPlane } from '../../shared/service/deferred.js';
import type { Service } from '../../shared/service/service.js';
import type { ClickHouse } from '../../shared/store/client.js';
import type { UploadsRecord } from '../../shared/uploads/uploads-codec.js';
import { createUsageCounter } from '../../shared/usage/usage-counter.js';
import { hearUploads } from './arrivals/hear-uploads.js';
import { createKnownUploads } from './arrivals/known-uploads.js';
import { type FollowedUploads, followPendingUploads } from './arrivals/pending-uploads.js';
import { type ApiParts, openApi } from './open-api.js';
import { openProjection } from './projections/open-projection.js';

/**
 * The API and what belongs to it, the same however the program runs: its counts, its tables, its part in the control plane. Whoever runs it
 * says when it listens and when it has the control plane, in either order; until it has both, calls are told to come again.
 * @param base outlives the calls under way: what is opened here stops after the listener.
 */
export function composeApi(base: Service, clickhouse: ClickHouse) {
  const control = createDeferred<ControlPlane>();
  const projection = openProjection(base, clickhouse);
  const uploads = createKnownUploads();
  let pending: FollowedUploads | null = null;
  // The count of rows is shared many times a second, and while an upload is still under way.
  const usage = createUsageCounter(base.newId(), (websiteId, bucket) => {
    if (bucket === 'ingest_rows') pending?.heard(websiteId);
  });
  return {
    /** To be shared (shared/usage/share-usage.ts) before the control plane is there: no call is let through without knowing what was used. */
    usage,
    /** Takes in what ingest in this process tells of uploads: sooner than the log does. */
    tell: (record: UploadsRecord) => uploads.merge(record, base.now()),
    /** Takes in what ingest tells of uploads over this log, and follows how far they are stored. */
    hear(log: EventLog) {
      hearUploads(base, { log, uploads });
      pending = followPendingUploads(base, { log, uploads });
    },
    /** What the control plane is to be opened with. */
    controlWishes: {
      snapshots: createSnapshotStore(clickhouse, base.logger),
      onApplied: projection.onApplied,
      beforeSnapshot: projection.flushed,
    },
    /** Calls are answered from now on. */
    serve: control.set,
    /** Listens when this resolves. */
    listen: (
      service: Service,
      {
        notReady = () => null,
        ...parts
      }: Pick<ApiParts, 'asnOf' | 'urls' | 'dataVersions'> & Partial<Pick<ApiParts, 'notReady' | 'about'>>,
    ) =>
      openApi(service, {
        ...parts,
        clickhouse,
        projection,
        usage,
        uploads,
        pendingUploads: { storedThrough: async (websiteId) => pending?.storedThrough(websiteId) ?? null },
        control: deferredControlPlane(control),
        notReady: () => notReady() ?? (control.isThere() ? null : 'starting: waits for the control events'),
      }),
  };
}
