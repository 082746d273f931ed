import { useAddress } from '../address.js';

/**
 * The way to a new segment without a path, or without a directory (`prefix`). The API's filters only keep requests; a saved segment can
 * leave out paths, and nothing else.
 */
export function useWithout(path: string, type: 'exact' | 'prefix') {
  const { link, go } = useAddress();
  const target = { screen: 'exports', rest: { tab: 'segments', without: path, by: type } };
  return {
    href: link(target),
    /** For an element that does something else without Alt. Browsers would download the target of a link. */
    onAltClick(event: MouseEvent): void {
      if (!event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      go(target);
    },
  };
}
