import { useAddress } from '../address.js';
import { logText } from '../format.js';

/** A path from the logs, as a link to all about it. */
export function PageLink({ path }: { readonly path: string }) {
  const { link } = useAddress();
  return (
    <a class="path" href={link({ screen: 'pages', rest: { path } })}>
      {logText(path)}
    </a>
  );
}
