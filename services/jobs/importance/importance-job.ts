import type { ClickHouseWriter } from '../../../shared/clickhouse/client.js';
import { DAY_MS } from '../../../shared/durations.js';
import { buildPageImportance } from '../../../shared/queries/write-nightly-build.js';

interface ImportanceDeps {
  readonly clickhouse: Pick<ClickHouseWriter, 'command'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Fires when nothing more is to be written. */
  readonly signal?: AbortSignal;
}

/**
 * Once a day, for each website: what page-importance and urls/search read. A run that is cut off leaves nothing that anybody reads.
 * @param newId a text that no other call has given.
 */
export function importanceJob(newId: () => string) {
  return {
    name: 'page_importance',
    everyMs: DAY_MS,
    run: ({ id }: { readonly id: string }, { clickhouse, now, signal }: ImportanceDeps): Promise<void> =>
      buildPageImportance(clickhouse, { websiteId: id, buildId: newId(), now: now() }, signal),
  };
}
