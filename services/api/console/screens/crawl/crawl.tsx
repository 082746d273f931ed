import '../../style/screen-parts.css';
import { logText } from '../../format.js';
import { Tabs, useTab } from '../../parts/tabs.js';
import { useWebsite } from '../../parts/website.js';
import { CrawlList } from './crawl-list.js';
import { CrawlReport } from './crawl-report.js';
import { CurrentCrawl } from './current-crawl.js';
import { Findings } from './findings.js';
import { LinkGraph } from './link-graph.js';
import { useCrawls } from './use-crawls.js';

const tabs = [
  { name: 'runs', title: 'Runs' },
  { name: 'findings', title: 'Findings' },
  { name: 'links', title: 'Links' },
  { name: 'report', title: 'Crawl against logs' },
] as const;

/** Crawls of the website's own pages, and their pages against the logs. */
export function Crawl() {
  const { domain } = useWebsite();
  const tab = useTab(tabs);
  return (
    <>
      <h1 class="visually-hidden">Crawls of {logText(domain ?? '')}</h1>
      <Tabs tabs={tabs} label="Site crawl" />
      {tab === 'findings' ? (
        <Findings />
      ) : tab === 'links' ? (
        <LinkGraph />
      ) : tab === 'report' ? (
        <CrawlReport />
      ) : (
        <Runs />
      )}
    </>
  );
}

function Runs() {
  const crawls = useCrawls();
  return (
    <>
      <CurrentCrawl crawls={crawls} />
      <CrawlList crawls={crawls} />
    </>
  );
}
