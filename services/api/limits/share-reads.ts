import type { ClickHouseReader } from '../../../shared/clickhouse/client.js';
import { createCounter } from '../../../shared/counter.js';
import { PublicError } from '../../../shared/errors.js';
import { createFairQueue } from '../../../shared/fair-queue.js';

/**
 * Everyday reads of one organisation at once: half of the sessions that the embedded engine has for them
 * (shared/clickhouse/embedded/engine-main.ts), so that another organisation finds one free. Two of them are enough to keep two
 * cores at work.
 */
const MOST_AT_ONCE = 2;
/** A call makes some ten reads: what an organisation has waiting is done before its callers give up. */
const MOST_WAITING = 256;
/** Of all organisations, before shares shrink (shared/fair-queue.ts). */
const TOTAL_WAITING = 4_096;
const RETRY_SECONDS = 5;

/**
 * The reader as each organisation has it: beyond its share its reads wait for each other, and for nobody else's. Scans pass:
 * they have places of their own (slow-reads/scan-places.ts).
 * @returns a reader that throws PublicError (503) where too many reads of the organisation wait.
 */
export function shareReads(reader: ClickHouseReader): (organisationId: string) => ClickHouseReader {
  const running = createCounter();
  const waiting = createFairQueue<() => void>({
    total: TOTAL_WAITING,
    mostPerWebsite: MOST_WAITING,
    isLive: () => true,
  });
  const mayRun = (organisationId: string) => running.of(organisationId) < MOST_AT_ONCE;

  function admit(): void {
    for (let next = waiting.take(mayRun); next !== null; next = waiting.take(mayRun)) {
      running.add(next.websiteId, 1);
      next.item();
    }
  }

  async function turn(organisationId: string): Promise<void> {
    if (!mayRun(organisationId) && !waiting.hasRoom(organisationId)) {
      throw new PublicError('unavailable', 'Too many reads of your organisation wait; repeat the call.', {
        retryAfterSeconds: RETRY_SECONDS,
      });
    }
    const admitted = new Promise<void>((go) => waiting.add(organisationId, go));
    admit();
    await admitted;
  }

  return (organisationId) => ({
    async read(query) {
      if (query.scan !== undefined) return reader.read(query);
      await turn(organisationId);
      try {
        return await reader.read(query);
      } finally {
        running.add(organisationId, -1);
        admit();
      }
    },
  });
}
