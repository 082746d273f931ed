import { scopeOf, useAddress } from '../../address.js';
import { useRead } from '../../api/use-read.js';
import { FigureTiles } from '../../charts/figure-tiles.js';
import { failedShare } from '../../charts/status-mix.js';
import { milliseconds, percent, short } from '../../format.js';
import { useWebsite } from '../../parts/website.js';
import { UrlFetchers } from './url-fetchers.js';
import { UrlHistory } from './url-history.js';
import { UrlSearch } from './url-search.js';
import { UrlAnalytics, UrlCrawl, UrlSitemap } from './url-sources.js';
import { UrlTraffic } from './url-traffic.js';
import { UrlVisitors } from './url-visitors.js';

/** Everything that logs, crawl, sitemaps and connected sources know of one URL. */
export function OneUrl({ path }: { readonly path: string }) {
  const { address } = useAddress();
  const { website } = useWebsite();
  const url = useRead('getUrl', website, { ...scopeOf(address), path }, { when: website !== null });
  return (
    <>
      <FigureTiles
        read={url}
        count={6}
        tiles={({ logs }) => [
          { title: 'Requests', figure: short(logs.requests) },
          { title: 'People', figure: short(logs.humans) },
          { title: 'Bots', figure: short(logs.bots) },
          { title: 'Verified search', figure: short(logs.verified_search) },
          { title: 'Failed', figure: percent(failedShare(logs.status_mix)), note: '4xx and 5xx' },
          {
            title: 'p95',
            figure: milliseconds(logs.p95_time_ms),
            note: `mean ${milliseconds(logs.avg_time_ms)}`,
          },
        ]}
      />
      <UrlTraffic url={url} />
      <UrlVisitors url={url} />
      <div class="columns">
        <UrlFetchers url={url} />
        <UrlCrawl url={url} />
      </div>
      <UrlSearch url={url} />
      <div class="columns">
        <UrlSitemap url={url} />
        <UrlAnalytics url={url} />
      </div>
      <UrlHistory path={path} />
    </>
  );
}
