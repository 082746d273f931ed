import type { ClickHouse } from '../../clickhouse/client.js';
import type { EventLog } from '../../event-log/event-log.js';
import type { FileStore } from '../../files/file-store.js';
import type { Logger } from '../../log.js';
import type { ControlPlane } from '../control-plane.js';
import { createErasureDesk, type ErasureDesk } from '../erasure/erasure-desk.js';
import type { KeyRing } from '../sealing/key-ring.js';
import { createDeliveryDesk, type DeliveryDesk } from './delivery-desk.js';
import { createForgetDays, type ForgetDays } from './forget-days.js';
import { createReclassify, type Reclassify } from './reclassify.js';
import { createSetPrivacy, type SetPrivacy } from './set-privacy.js';
import { createSiteFiles, type SiteFiles } from './site-files.js';

/** What the operator can do to stored data: each part needs ClickHouse. */
export interface AdminStore {
  readonly clickhouse: ClickHouse;
  readonly erasure: ErasureDesk;
  readonly forgetDays: ForgetDays;
  readonly reclassify: Reclassify;
  readonly setPrivacy: SetPrivacy;
  readonly siteFiles: SiteFiles;
  readonly deliveries: DeliveryDesk;
}

export interface AdminStoreOptions {
  readonly control: ControlPlane;
  readonly log: EventLog;
  readonly clickhouse: ClickHouse;
  /** The same, but its inserts wait while others are held; default `clickhouse`. */
  readonly gated?: ClickHouse;
  readonly cluster: string | undefined;
  readonly files: FileStore | undefined;
  /** Of the control plane, where personal fields are sealed. */
  readonly ring: KeyRing | undefined;
  /** Runs the work while nothing is inserted into `requests`. */
  withInsertsHeld<T>(work: () => Promise<T>): Promise<T>;
  readonly newId: () => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
}

export function createAdminStore(options: AdminStoreOptions): AdminStore {
  const { clickhouse, gated = clickhouse } = options;
  return {
    clickhouse,
    erasure: createErasureDesk(options),
    forgetDays: createForgetDays(options),
    reclassify: createReclassify(options),
    setPrivacy: createSetPrivacy(options),
    siteFiles: createSiteFiles({ ...options, clickhouse: gated }),
    deliveries: createDeliveryDesk(options),
  };
}
