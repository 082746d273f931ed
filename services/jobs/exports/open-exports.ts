import type { ClickHouse } from '../../../shared/clickhouse/client.js';
import type { ControlPlane } from '../../../shared/control/control-plane.js';
import type { FileStore } from '../../../shared/files/file-store.js';
import { queueDeliveries } from '../../../shared/queries/notification-deliveries.js';
import type { Service } from '../../../shared/service/service.js';
import { exportDeliveries } from '../notifications/choose-deliveries.js';
import type { Maker } from './maker.js';
import { createExportWorker, type WorkerOptions } from './worker.js';

export interface ExportsParts extends Pick<WorkerOptions, 'assignmentOf'> {
  readonly clickhouse: ClickHouse;
  readonly control: ControlPlane;
  readonly store: FileStore;
}

/** Exports in the process that it is given, at work when this returns. */
export function openExports(
  { now, logger, registry, onStop }: Service,
  { clickhouse, control, store, assignmentOf }: ExportsParts,
): void {
  const makers: ReadonlyMap<string, Maker> = new Map();
  const worker = createExportWorker({
    control,
    makers,
    store,
    assignmentOf,
    tell: (over) => queueDeliveries(clickhouse, exportDeliveries(over), now()),
    now,
    logger,
    registry,
  });
  onStop(() => worker.stop());
}
