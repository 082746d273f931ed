import type { DataChange } from '../../shared/changes/data-change.js';
import { alertSettingsOf, suppressedNamesOf } from '../../shared/control/aggregates/alert-settings.js';
import type { ControlPlane } from '../../shared/control/control-plane.js';
import { wasErased } from '../../shared/control/domain/state.js';
import { followLists } from '../../shared/crawlers/follow-lists.js';
import type { EventLog } from '../../shared/event-log/event-log.js';
import { endOfDrain } from '../../shared/service/drain-time.js';
import type { Service } from '../../shared/service/service.js';
import type { ClickHouse } from '../../shared/store/client.js';
import { type DetectorService, startDetector } from './detector-service.js';
import type { DetectorCore } from './evaluation/core.js';
import { adoptAlerts, evaluateInterval } from './evaluation/evaluate-website.js';
import { forgetAddress } from './evaluation/forget-address.js';
import { decodeState, encodeState, newWebsiteState, type WebsiteState } from './evaluation/website-state.js';
import { metricValue } from './gauges/judge-interval.js';
import { createDetectorStore } from './tables/detector-store.js';

export interface DetectorParts {
  readonly log: EventLog;
  readonly clickhouse: ClickHouse;
  readonly control: ControlPlane;
  /** Resolves when everything written so far is on the disk; absent if another process runs the store. */
  sync?(): Promise<void>;
  /** Alerts or health may have changed in the store. A failed insert may have succeeded there. */
  onStored?(changes: Iterable<DataChange>): void;
}

export const detectorCore: DetectorCore<WebsiteState> = {
  newState: newWebsiteState,
  encode: encodeState,
  decode: decodeState,
  evaluateInterval,
  adoptAlerts,
  forgetAddress,
  valueOf: metricValue,
};

/** Starts the detector in the given process; it works when this resolves. */
export async function openDetector(service: Service, parts: DetectorParts): Promise<DetectorService> {
  const { now, logger, registry, onCrash } = service;
  const { log, clickhouse, control, onStored } = parts;
  const lists = followLists({ reader: clickhouse, now, logger });
  service.onStop(async () => lists.stop());
  const detector = await startDetector({
    log,
    store: createDetectorStore(clickhouse, onStored, (list, { websiteId, start }) =>
      logger.warn(
        { website_id: websiteId, list, start },
        'a list of an interval is too large for the store to answer: left out',
      ),
    ),
    core: detectorCore,
    circumstancesOf: (websiteId) => ({
      settings: alertSettingsOf(control.state(), websiteId),
      suppressed: suppressedNamesOf(control.state(), websiteId, now()),
      takenChangedAt: takenChangedAt(control, websiteId),
      sharedNetworkOf: lists.sharedNetworkOf,
    }),
    isErased: (websiteId) => wasErased(control.state(), 'website', websiteId),
    ...(parts.sync !== undefined && { sync: parts.sync }),
    now,
    logger,
    registry,
    drained: endOfDrain(service),
    onCrash,
  });
  service.onStop(() => detector.stop());
  return detector;
}

function takenChangedAt(control: ControlPlane, websiteId: string): number {
  const changedAt = control.state().websites.get(websiteId)?.privacy.botsOnlyChangedAt ?? null;
  return changedAt === null ? 0 : Date.parse(changedAt);
}
