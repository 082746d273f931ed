import type { KeyRing } from '../../../shared/control/sealing/key-ring.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import { createErasureDesk, type ErasureDesk } from '../erasure/erasure-desk.js';
import type { StoredData } from '../erasure/stored-data.js';
import { createDeliveryDesk, type DeliveryDesk } from './delivery-desk.js';
import { createForgetDays, type ForgetDays } from './forget-days.js';
import { createReclassify, type Reclassify } from './reclassify.js';
import { createSetPrivacy, type SetPrivacy } from './set-privacy.js';
import { createSiteFiles, type SiteFiles } from './site-files.js';

/** The operator's changes to stored data. Each part needs ClickHouse. */
export interface AdminStore {
  readonly clickhouse: ClickHouse;
  readonly erasure: ErasureDesk;
  readonly forgetDays: ForgetDays;
  readonly reclassify: Reclassify;
  readonly setPrivacy: SetPrivacy;
  readonly siteFiles: SiteFiles;
  readonly deliveries: DeliveryDesk;
}

interface AdminStoreOptions extends StoredData {
  /** As `clickhouse`, but inserts wait during `withInsertsHeld`; default `clickhouse`. */
  readonly gated?: ClickHouse;
  /** Key ring of the control plane; undefined if personal fields are not sealed. */
  readonly ring: KeyRing | undefined;
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
