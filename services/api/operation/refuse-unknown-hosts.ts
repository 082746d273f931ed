import { PublicError } from '../../../shared/errors.js';
import type { Filters } from '../../../shared/reads/sql/filters.js';
import { shortened } from './input.js';
import type { WebsiteContext } from './operation.js';
import { readBusiestHosts, readSeenHosts } from './seen-hosts.js';

const MOST_LISTED = 10;

/**
 * A mistyped host (example.com instead of www.example.com) would give zeros that look like an answer. So would any host if the logs
 * contain none. A website without requests refuses no host.
 * @throws PublicError invalid_request with hosts of the website; as ClickHouseReader.read
 */
export async function refuseUnknownHosts(
  { hosts = [] }: Filters,
  { website, services }: WebsiteContext,
): Promise<void> {
  if (hosts.length === 0) return;
  const seen = await readSeenHosts(services.reader, website.id, hosts);
  const unknown = hosts.find((host) => !seen.has(host));
  if (unknown === undefined) return;
  const busiest = await readBusiestHosts(services.reader, website.id, MOST_LISTED);
  if (busiest.length === 0) return;
  const hostNames = busiest.filter((host) => host !== '');
  if (hostNames.length === 0)
    throw new PublicError(
      'invalid_request',
      'host: the logs contain no host, like the usual formats of nginx and Apache; the guide of the source shows how to add it',
    );
  throw new PublicError(
    'invalid_request',
    `host: no stored request has the host "${shortened(unknown)}"; requested hosts are ${hostNames.map(shortened).join(', ')}`,
  );
}
