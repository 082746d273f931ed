import { useAddress } from '../address.js';
import { logText } from '../format.js';

/**
 * A path from logs or a crawl, with the way to its report.
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
  return (
    <a class="path" href={link({ screen: 'pages', rest: { path } })}>
      {logText(text ?? url?.replace(/^https?:\/\/[^/]*/, '') ?? path)}
    </a>
  );
}
