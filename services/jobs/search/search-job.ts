import { type Credential, openCredential } from '../../../shared/connections/credential.js';
import { connectionOf } from '../../../shared/control/aggregates/connection.js';
import type { ControlState } from '../../../shared/control/domain/state.js';
import type { KeyRing } from '../../../shared/control/sealing/key-ring.js';
import { HOUR_MS } from '../../../shared/durations.js';
import { SEARCH_SYNC } from '../../../shared/jobs/job-request.js';
import { searchKinds } from '../../../shared/reads/search/search-connection.js';
import type { Wait } from '../connections/call-source.js';
import type { WebsiteJob } from '../runner/website-job.js';
import { openBingWebmaster } from './bing/bing-webmaster.js';
import { openSearchConsole } from './google/search-console.js';
import type { SearchSource } from './sync/search-source.js';
import { syncSource } from './sync-source.js';

export interface SearchJobOptions {
  readonly state: () => ControlState;
  /** The keys that open credentials. */
  readonly ring: Pick<KeyRing, 'find'>;
  /** The fetch for the services; default: the process's own. */
  readonly fetch?: typeof fetch | undefined;
  readonly wait?: Wait | undefined;
}

/**
 * Reads the search-performance sources of each connected website every hour. So 16 months of history are read in parts, and inspections are spread over the
 * day. An hour without new data costs one call.
 */
export function searchJob(options: SearchJobOptions): WebsiteJob {
  const connectionsOf = (websiteId: string) =>
    searchKinds.flatMap((kind) => connectionOf(options.state(), websiteId, kind) ?? []);
  return {
    name: SEARCH_SYNC,
    everyMs: HOUR_MS,
    waitsFor: 'website',
    isFor: ({ id }) => connectionsOf(id).length > 0,
    async run({ id, domain }, deps) {
      let failed = false;
      for (const connection of connectionsOf(id)) {
        const credential = await openCredential(connection, options.ring);
        if (credential?.type === 'recorded') continue;
        const open = () => openSource(credential, connection.property, options);
        const failure = await syncSource(connection, domain, open, deps);
        if (failure === null) continue;
        failed = true;
        deps.logger.warn(
          { website_id: id, kind: connection.kind, reason: failure.reason, problem: failure.message },
          'a connected source was not read completely',
        );
      }
      // Retried with backoff: a refusal needs a person, and a rate limit needs time.
      return failed ? 'nothing_yet' : undefined;
    },
  };
}

/** null: there is no credential that can be opened. */
function openSource(
  credential: Exclude<Credential, { type: 'recorded' }> | null,
  property: string,
  { fetch, wait }: SearchJobOptions,
): SearchSource | null {
  if (credential === null) return null;
  return credential.type === 'api_key'
    ? openBingWebmaster({ apiKey: credential.apiKey, property, fetch, wait })
    : openSearchConsole({ credential, property, fetch, wait });
}
