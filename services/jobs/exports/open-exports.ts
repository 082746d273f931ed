import type { ClickHouse } from '../../../shared/clickhouse/client.js';
import { isResolved } from '../../../shared/control/aggregates/resolution.js';
import type { ControlPlane } from '../../../shared/control/control-plane.js';
import { createIsSearchCrawler } from '../../../shared/crawlers/canonical-name.js';
import { createCrawlerRules, loadRuleData } from '../../../shared/crawlers/crawler-rules.js';
import { createSharedNetworkOf } from '../../../shared/crawlers/shared-networks.js';
import { exportTypes } from '../../../shared/exports/list.js';
import type { FileStore } from '../../../shared/files/file-store.js';
import { queueDeliveries } from '../../../shared/queries/notification-deliveries.js';
import type { Service } from '../../../shared/service/service.js';
import { exportDeliveries } from '../notifications/choose-deliveries.js';
import type { Maker } from './maker.js';
import { createStatementMaker } from './statement-maker.js';
import { createExportWorker, type WorkerOptions } from './worker.js';

export interface ExportsParts extends Pick<WorkerOptions, 'assignmentOf'> {
  readonly clickhouse: ClickHouse;
  readonly control: ControlPlane;
  readonly store: FileStore;
  /** Default: read anew. */
  readonly ruleData?: ReturnType<typeof loadRuleData>;
}

/** Exports in the process that it is given, at work when this returns. */
export function openExports(
  { now, logger, registry, newId, onStop }: Service,
  { clickhouse, control, store, ruleData = loadRuleData(), assignmentOf }: ExportsParts,
): void {
  const state = () => control.state();
  const rules = createCrawlerRules(ruleData);
  const isSearchCrawler = createIsSearchCrawler(ruleData.table);
  const sharedNetworkOf = createSharedNetworkOf(ruleData);
  const statements = createStatementMaker({
    clickhouse,
    websiteOf: (id) => state().websites.get(id),
    recommendationsOf: (websiteId) => ({
      isResolved: (key, newest) => isResolved(state(), { websiteId, key, newest }),
      sharedNetworkOf,
      isSearchCrawler,
    }),
    rulesVersion: () => rules.versionAt(now()),
    newId,
  });
  const makers: ReadonlyMap<string, Maker> = new Map(exportTypes.map(({ name }) => [name, statements]));
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
