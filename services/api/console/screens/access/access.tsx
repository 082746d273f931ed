import '../../style/screen-parts.css';
import { scopeOf, useAddress } from '../../address.js';
import { useRead } from '../../api/use-read.js';
import { logText } from '../../format.js';
import { Tabs, useTab } from '../../parts/tabs.js';
import { DnsState } from '../../parts/waiting-claims.js';
import { useWebsite } from '../../parts/website.js';
import { CrawlersAndRules } from './crawlers-and-rules.js';
import { RobotsFile } from './robots-file.js';
import { RobotsHistory } from './robots-history.js';
import { SitemapCoverage } from './sitemap-coverage.js';
import { SitemapUrls } from './sitemap-urls.js';
import { Violations } from './violations.js';

const tabs = [
  { name: 'robots', title: 'robots.txt' },
  { name: 'sitemaps', title: 'Sitemaps' },
] as const;

/** Rules of robots.txt, requests against them, and pages of the sitemaps. */
export function Access() {
  const { domain } = useWebsite();
  const tab = useTab(tabs);
  return (
    <>
      <h1 class="visually-hidden">Access of crawlers to {logText(domain ?? '')}</h1>
      <Tabs tabs={tabs} label="Access" />
      {tab === 'sitemaps' ? <Sitemaps /> : <Robots />}
    </>
  );
}

function Robots() {
  const { address } = useAddress();
  const { website } = useWebsite();
  const robots = useRead('getRobots', website, scopeOf(address), { when: website !== null });
  return (
    <>
      <DnsState />
      <CrawlersAndRules robots={robots} />
      <Violations robots={robots} />
      <div class="columns">
        <RobotsFile robots={robots} />
        <RobotsHistory robots={robots} />
      </div>
    </>
  );
}

function Sitemaps() {
  return (
    <>
      <SitemapCoverage />
      <SitemapUrls />
    </>
  );
}
