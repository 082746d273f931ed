import '../../style/analysis.css';
import '../../style/lists.css';
import { useAddress } from '../../address.js';
import { logText } from '../../format.js';
import { useWithout } from '../../parts/use-without.js';
import { useWebsite } from '../../parts/website.js';
import { FindPage } from './find-page.js';
import { OneUrl } from './one-url.js';
import { PageList } from './page-list.js';

/** All pages, or all about the page of the address. A search field finds pages on both. */
export function Pages() {
  const { address, link } = useAddress();
  const { domain } = useWebsite();
  const { path } = address.rest;
  return (
    <>
      {path === undefined ? (
        <h1 class="visually-hidden">Pages of {domain}</h1>
      ) : (
        <h1 class="page-title">
          <code>{logText(path)}</code>{' '}
          <small>
            <a href={link({ rest: {} })}>all pages</a> · <WithoutLink path={path} />
          </small>
        </h1>
      )}
      <FindPage key={path} />
      {path === undefined ? <PageList /> : <OneUrl key={path} path={path} />}
    </>
  );
}

function WithoutLink({ path }: { readonly path: string }) {
  return <a href={useWithout(path, 'exact').href}>everything without this page</a>;
}
