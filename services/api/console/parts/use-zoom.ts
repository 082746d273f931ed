import { useAddress } from '../address.js';

/** What a drag over a chart does: the window of the screen becomes the dragged one. */
export function useZoom(): (from: number, to: number) => void {
  const { go } = useAddress();
  return (from, to) => go({ period: `${new Date(from).toISOString()}/${new Date(to).toISOString()}` });
}
