import { useAddress } from '../address.js';
import { useRead } from '../api/use-read.js';

/** The website of the address, or the first one of the organisation. null while the list loads, or if the organisation has none. */
export function useWebsite() {
  const { address } = useAddress();
  const list = useRead('listWebsites', null, {});
  const websites = list.answer?.websites ?? [];
  const chosen = websites.find(({ id }) => id === address.website) ?? websites[0];
  return { website: chosen?.id ?? null, domain: chosen?.domain ?? null, websites, list };
}
