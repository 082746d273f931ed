import { useWebsite } from '../../parts/website.js';

/** Shown without a search-performance source: the operator's command that connects one. */
export function NotConnected() {
  const { website, domain } = useWebsite();
  return (
    <section class="card" aria-label="Source not connected">
      <header class="card-head">
        <h2>Source not connected</h2>
        <p class="caption">search performance and index coverage</p>
      </header>
      <p>
        These figures come from Google Search Console or Bing Webmaster Tools. An operator of this
        installation connects one of them:
      </p>
      <pre class="source-text">
        {`npm run admin -- connect search-console --website ${website} --property sc-domain:${domain} --service-account key.json`}
      </pre>
      <pre class="source-text">
        {`npm run admin -- connect bing --website ${website} --property https://${domain}/ --api-key <key>`}
      </pre>
      <p class="caption">The first figures appear after the next sync, within a few minutes.</p>
    </section>
  );
}
