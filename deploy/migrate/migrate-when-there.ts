import { waitFor } from '../../shared/service/wait-for.js';
import type { ClickHouse } from '../../shared/store/client.js';
import { type MigrateOptions, migrate } from '../../shared/store/migrate.js';
import { StoreUnavailableError } from '../../shared/store/store-errors.js';

/**
 * Applies the migrations as soon as the server answers, since a first installation starts both at once. If the server becomes
 * unavailable, it waits again: every statement can be repeated.
 * @param stopping ends the wait.
 * @param check runs first; its errors have the same effect as errors of migrations.
 * @returns names of the migrations that the last attempt applied.
 * @throws errors of the migrations, at once; Error as soon as `stopping` aborts.
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
      throw new Error(`ClickHouse is not reachable: ${(stopping.reason as Error).message}`);
    },
  );
  if ('error' in outcome) throw outcome.error;
  return outcome.applied;
}
