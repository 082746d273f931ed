import { Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouse } from '../../shared/clickhouse/client.js';
import type { ControlPlane } from '../../shared/control/control-plane.js';
import type { AsnOf } from '../../shared/location/asn-lookup.js';
import { answers } from '../../shared/service/open-clickhouse.js';
import type { PublicUrls } from '../../shared/service/public-urls.js';
import type { Service } from '../../shared/service/service.js';
import { detectPlatform } from '../../shared/websites/detect-platform.js';
import { createSlowReads } from './answer-or-buffer.js';
import { apiControl } from './control.js';
import { type ApiService, startApi } from './service.js';

export interface ApiParts {
  readonly clickhouse: ClickHouse;
  readonly control: ControlPlane;
  readonly asnOf: AsnOf;
  readonly urls: PublicUrls;
  /** Beside this, ClickHouse must answer. */
  readonly ready: () => boolean;
}

/** The JSON API in the process that it is given, listening when this resolves. */
export async function openApi(service: Service, parts: ApiParts): Promise<ApiService> {
  const { config, now, logger, registry, stopping } = service;
  const { clickhouse, control, asnOf, urls, ready } = parts;
  const api = await startApi({
    host: config.HOST,
    port: config.API_PORT,
    shutdownTimeoutMs: config.SHUTDOWN_TIMEOUT_MS,
    services: {
      reader: clickhouse,
      control: apiControl(control, now),
      slowReads: createSlowReads({
        deadlineMs: config.READ_DEADLINE_MS,
        now,
        sleep: (durationMs, signal) => sleep(durationMs, undefined, { signal }).catch(() => {}),
      }),
      detectPlatform: (domain) => detectPlatform(domain, { resolver: new Resolver(), asnOf }),
      urls,
    },
    ready: async () => ready() && !stopping.aborted && (await answers(clickhouse)),
    now,
    newRequestId: service.newId,
    randomBytes: service.randomBytes,
    logger,
    registry,
  });
  service.onStop(() => api.stop());
  return api;
}
