import '../../style/lists.css';
import '../../style/screen-parts.css';
import { useAddress, windowOf } from '../../address.js';
import { useRead } from '../../api/use-read.js';
import { logText } from '../../format.js';
import { Tabs, useTab } from '../../parts/tabs.js';
import { useWebsite } from '../../parts/website.js';
import { CoverageBuckets } from './coverage-buckets.js';
import { CoverageDirectories } from './coverage-directories.js';
import { CoverageUrls } from './coverage-urls.js';
import { NotConnected } from './not-connected.js';
import { PageQueries } from './page-queries.js';
import { SearchFigures } from './search-figures.js';
import { TopPages } from './top-pages.js';
import { TopQueries } from './top-queries.js';

const tabs = [
  { name: 'performance', title: 'Search performance' },
  { name: 'coverage', title: 'Index coverage' },
] as const;

/** Queries of people in search engines, and the pages that a search engine lists. */
export function Queries() {
  const { domain } = useWebsite();
  const tab = useTab(tabs);
  return (
    <>
      <h1 class="visually-hidden">Search results of {logText(domain ?? '')}</h1>
      <Tabs tabs={tabs} label="Search results" />
      {tab === 'coverage' ? <Coverage /> : <Performance />}
    </>
  );
}

function Performance() {
  const { address } = useAddress();
  const { website } = useWebsite();
  const performance = useRead('getSearchPerformance', website, windowOf(address.period), {
    when: website !== null,
  });
  if (performance.answer?.sc_connected === false) return <NotConnected />;
  return (
    <>
      <SearchFigures performance={performance} />
      <div class="columns">
        <TopQueries performance={performance} />
        <TopPages performance={performance} />
      </div>
      {address.rest.path === undefined ? null : <PageQueries path={address.rest.path} />}
    </>
  );
}

function Coverage() {
  const { website } = useWebsite();
  const coverage = useRead('getIndexCoverage', website, {}, { when: website !== null });
  if (coverage.answer?.sc_connected === false) return <NotConnected />;
  return (
    <>
      <div class="columns">
        <CoverageBuckets coverage={coverage} />
        <CoverageDirectories coverage={coverage} />
      </div>
      {coverage.answer === null ? null : <CoverageUrls />}
    </>
  );
}
