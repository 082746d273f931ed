import { DAY_MS } from '../../../shared/durations.js';
import { type Inspection, writeInspections } from '../../../shared/reads/search/inspections.js';
import type { SearchConnection } from '../../../shared/reads/search/search-connection.js';
import { isUrl } from '../../../shared/urls/is-url.js';
import { SourceError } from '../connections/source-error.js';
import { countInspections, readPathsToInspect } from './inspection-queue.js';
import type { SourceInspection } from './sync/search-source.js';
import type { SyncDeps } from './sync/sync-days.js';

/** The service allows 2,000 a day and 600 a minute per property. Sequential calls never reach the second limit. */
const PER_DAY = 2_000;
/** Spread over the day: 24 runs use the daily quota. */
const PER_RUN = 84;
/** Stored together, so few inspections are repeated after a crash. */
const AT_ONCE = 20;

/**
 * Inspects the next paths of the queue, within the daily quota.
 * @returns the number of inspections. @throws SourceError, as ClickHouse
 */
export async function inspectPaths(
  connection: SearchConnection,
  domain: string,
  inspect: (url: string, signal: AbortSignal) => Promise<SourceInspection>,
  { clickhouse, now, signal, until }: SyncDeps,
): Promise<number> {
  const used = await countInspections(clickhouse, connection, now() - DAY_MS);
  const limit = Math.min(PER_RUN, PER_DAY - used);
  if (limit <= 0) return 0;
  const origin = originOf(connection.property, domain);
  const paths = await readPathsToInspect(clickhouse, connection, { now: now(), limit });
  const held: Inspection[] = [];
  let inspected = 0;
  async function store() {
    const ready = held.splice(0);
    if (ready.length > 0) await writeInspections(clickhouse, connection, ready);
    inspected += ready.length;
  }
  try {
    for (const path of paths) {
      if (now() >= until) break;
      const url = `${origin}${path}`;
      held.push({ path, url, ...(await inspect(url, signal)), inspectedAt: now() });
      if (held.length === AT_ONCE) await store();
    }
  } catch (error) {
    // Answered inspections have used the quota.
    if (error instanceof SourceError) await store();
    throw error;
  }
  await store();
  return inspected;
}

/** The origin of the property's pages; for a domain property, that of the website. */
function originOf(property: string, domain: string): string {
  return isUrl(property) && /^https?:/.test(property) ? new URL(property).origin : `https://${domain}`;
}
