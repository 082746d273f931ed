import { isResolved } from '../../../shared/control/aggregates/resolution.js';
import type { ControlPlane } from '../../../shared/control/control-plane.js';
import { SEO_REPORT } from '../../../shared/control/exports/report-period.js';
import { createIsSearchCrawler } from '../../../shared/crawlers/canonical-name.js';
import type { FollowedLists } from '../../../shared/crawlers/follow-lists.js';
import { aiDetectionOf, loadReferrerList } from '../../../shared/crawlers/referrers.js';
import type { FileStore } from '../../../shared/files/file-store.js';
import { readCrawl } from '../../../shared/reads/crawls/read-crawl.js';
import { exportTypes } from '../../../shared/reads/exports/all-export-types.js';
import { queueDeliveries } from '../../../shared/reads/notifications/notification-deliveries.js';
import type { RecommendationInput } from '../../../shared/reads/recommendations/recommendation-input.js';
import { searchConnectionOf } from '../../../shared/reads/search/search-connection.js';
import type { Service } from '../../../shared/service/service.js';
import type { ClickHouse } from '../../../shared/store/client.js';
import type { Maker } from '../export-makers/maker.js';
import { createStatementMaker } from '../export-makers/statement-maker.js';
import { exportDeliveries } from '../notifications/messages/make-deliveries.js';
import { createReportMaker } from '../report/report-maker.js';
import { createExportWorker, type WorkerOptions } from './worker.js';

export interface ExportsParts extends Pick<WorkerOptions, 'assignmentOf'> {
  readonly clickhouse: ClickHouse;
  readonly control: ControlPlane;
  readonly store: FileStore;
  readonly lists: Pick<FollowedLists, 'rules' | 'sharedNetworkOf' | 'data'>;
}

/** Starts exports in this process. */
export function openExports(
  { config, now, logger, registry, newId, onStop }: Service,
  { clickhouse, control, store, lists, assignmentOf }: ExportsParts,
): void {
  const state = () => control.state();
  const { rules, sharedNetworkOf } = lists;
  const isSearchCrawler = createIsSearchCrawler(lists.data().table);
  const known = {
    clickhouse,
    websiteOf: (id: string) => state().websites.get(id),
    recommendationsOf: (websiteId: string): RecommendationInput => ({
      isResolved: (key, newest) => isResolved(state(), { websiteId, key, newest }),
      sharedNetworkOf,
      isSearchCrawler,
    }),
  };
  const statements = createStatementMaker({ ...known, rulesVersion: () => rules.versionAt(now()), newId });
  const report = createReportMaker({
    ...known,
    sourcesOf: (websiteId) => ({
      crawl: readCrawl(state(), websiteId, undefined),
      connection: searchConnectionOf(state(), websiteId),
    }),
    fetchesWebsites: config.FETCH_WEBSITES,
    detection: aiDetectionOf(loadReferrerList()),
  });
  const makers: ReadonlyMap<string, Maker> = new Map([
    ...exportTypes.map(({ name }) => [name, statements] as const),
    [SEO_REPORT, report],
  ]);
  const worker = createExportWorker({
    control,
    makers,
    store,
    mostFileBytes: config.EXPORTS_MAX_FILE_BYTES,
    mostKeptBytes: config.EXPORTS_MAX_KEPT_BYTES,
    assignmentOf,
    tell: (over) => queueDeliveries(clickhouse, exportDeliveries(over), now()),
    now,
    logger,
    registry,
  });
  onStop(() => worker.stop());
}
