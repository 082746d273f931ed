import { useAddress } from '../address.js';
import { logText } from '../format.js';

/** A path from logs or a crawl, with the way to its report. */
export function PathLink({ path, text = path }: { readonly path: string; readonly text?: string }) {
  const { link } = useAddress();
  return (
    <a class="path" href={link({ screen: 'pages', rest: { path } })}>
      {logText(text)}
    </a>
  );
}
