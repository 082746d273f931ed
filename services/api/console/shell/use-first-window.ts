import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useAddress } from '../address.js';
import { useRead } from '../api/use-read.js';
import { useWebsite } from '../parts/website.js';

const DAY_MS = 86_400_000;
/** Once for a page: seven days that the reader chooses later stay. */
let isDecided = false;

/** Without a window in the address, logs of less than a day are shown over 24 hours: seven days would show a sliver. */
export function useFirstWindow(): void {
  const { link } = useAddress();
  const { query, route } = useLocation();
  const { website } = useWebsite();
  const isOpen = query.period === undefined;
  const traffic = useRead('getTraffic', website, { hours: 168 }, { when: website !== null, every: 300_000 });
  const since = traffic.answer?.complete_since ?? null;
  const isShort = since !== null && Date.now() - Date.parse(since) < DAY_MS;
  const isKnown = since !== null;
  useEffect(() => {
    if (!isKnown || isDecided) return;
    isDecided = true;
    if (isOpen && isShort) route(link({ period: '24h' }), true);
  }, [isKnown]);
}
