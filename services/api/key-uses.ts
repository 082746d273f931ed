import { MINUTE_MS } from '../../shared/durations.js';
import type { Logger } from '../../shared/logging/log.js';
import { insertKeyUses } from '../../shared/reads/account/api-key-uses.js';
import type { ClickHouseWriter } from '../../shared/store/client.js';

/** When keys were last used, gathered in memory and stored once a minute: operators look for keys that nobody needs. */
export interface KeyUses {
  /** @param at milliseconds since the epoch. */
  used(apiKeyId: string, at: number): void;
  /** Stores what was gathered, if ClickHouse answers. */
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
      logger.warn({ err: error, keys: uses.size }, 'last uses of API keys not stored, trying again');
      // What was used meanwhile is newer.
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
