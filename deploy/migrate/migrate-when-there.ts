import { waitFor } from '../../shared/service/wait-for.js';
import type { ClickHouse } from '../../shared/store/client.js';
import { type MigrateOptions, migrate } from '../../shared/store/migrate.js';
import { StoreUnavailableError } from '../../shared/store/store-errors.js';

/**
 * Applies the migrations as soon as the server answers: in a first installation both begin at once. A server that goes
 * away in between is waited for again, since every statement may be repeated.
 * @param stopping ends the waiting.
 * @param check comes first; what it throws ends the attempt likewise.
 * @returns names of the migrations that were applied in the last attempt.
 * @throws what the migrations themselves end with, at once; Error as soon as `stopping` aborts.
 */
export async function migrateWhenThere(
  clickhouse: ClickHouse,
  {
    stopping,
    check = async () => {},
    ...options
  }: MigrateOptions & { readonly stopping: AbortSignal; readonly check?: () => Promise<void> },
): Promise<string[]> {
  const attempt = async () => {
    try {
      await check();
      return { applied: await migrate(clickhouse, options) };
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error;
      return { error };
    }
  };
  const outcome = await waitFor('ClickHouse', attempt, { logger: options.logger, stopping }).catch(
    (error: unknown) => {
      if (!stopping.aborted) throw error;
      throw new Error(`ClickHouse was not reached: ${(stopping.reason as Error).message}`);
    },
  );
  if ('error' in outcome) throw outcome.error;
  return outcome.applied;
}
