import { MINUTE_MS } from '../../shared/durations.js';
import type { Logger } from '../../shared/logging/log.js';
import { insertKeyUses } from '../../shared/reads/account/api-key-uses.js';
import type { ClickHouseWriter } from '../../shared/store/client.js';

/** Times of last use of API keys, for finding unused keys. They are collected in memory and stored once a minute. */
export interface KeyUses {
  /** @param at milliseconds since the epoch. */
  used(apiKeyId: string, at: number): void;
  /** Stores the collected times, if ClickHouse answers. */
  stop(): Promise<void>;
}

const EVERY_MS = MINUTE_MS;

export function createKeyUses(options: {
  readonly clickhouse: ClickHouseWriter;
  readonly newId: () => string;
  readonly logger: Logger;
  readonly everyMs?: number;
}): KeyUses {
  const { clickhouse, newId, logger, everyMs = EVERY_MS } = options;
  let gathered = new Map<string, number>();

  async function store(): Promise<void> {
    if (gathered.size === 0) return;
    const uses = gathered;
    gathered = new Map();
    try {
      await insertKeyUses(clickhouse, uses, newId());
    } catch (error) {
      logger.warn({ err: error, keys: uses.size }, 'last uses of API keys not stored, retrying');
      // Uses since the failed write are newer.
      gathered = new Map([...uses, ...gathered]);
    }
  }

  const timer = setInterval(store, everyMs).unref();
  return {
    used: (apiKeyId, at) => void gathered.set(apiKeyId, at),
    async stop() {
      clearInterval(timer);
      await store();
    },
  };
}
