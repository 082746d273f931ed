import { useAddress } from '../address.js';
import { logText } from '../format.js';
import { useWithout } from './use-without.js';

/**
 * A path from logs or a crawl, with the way to its report; with Alt, to a segment without it.
 * @param url the whole address, of which the query string is shown too.
 */
export function PathLink({
  path,
  url = null,
  text,
}: {
  readonly path: string;
  readonly url?: string | null;
  readonly text?: string;
}) {
  const { link } = useAddress();
  const without = useWithout(path, 'exact');
  return (
    <a class="path" href={link({ screen: 'pages', rest: { path } })} onClick={without.onAltClick}>
      {logText(text ?? url?.replace(/^https?:\/\/[^/]*/, '') ?? path)}
    </a>
  );
}
