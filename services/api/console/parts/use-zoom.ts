import { useAddress } from '../address.js';

/** Handles a drag over a chart: the dragged window becomes the window of the screen. */
export function useZoom(): (from: number, to: number) => void {
  const { go } = useAddress();
  return (from, to) => go({ period: `${new Date(from).toISOString()}/${new Date(to).toISOString()}` });
}
