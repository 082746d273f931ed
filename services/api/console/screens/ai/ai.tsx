import '../../style/analysis.css';
import { useAddress } from '../../address.js';
import { type Tab, Tabs } from '../../parts/tabs.js';
import { useWebsite } from '../../parts/website.js';
import { CrawlersTab } from './crawlers-tab.js';
import { LandingTab } from './landing-tab.js';
import { UndeclaredTab } from './undeclared-tab.js';
import { VisitsTab } from './visits-tab.js';

const tabs: readonly Tab[] = [
  { name: '', title: 'Crawlers' },
  { name: 'visits', title: 'Reads to visits' },
  { name: 'landing', title: 'Landing pages' },
  { name: 'undeclared', title: 'Undeclared and unknown' },
];

/** AI systems: what they read, what comes back, and who reads without a name. */
export function Ai() {
  const { address } = useAddress();
  const { domain } = useWebsite();
  return (
    <>
      <h1 class="visually-hidden">AI on {domain}</h1>
      <Tabs tabs={tabs} label="Parts of AI" />
      <Part name={address.rest.tab} />
    </>
  );
}

function Part({ name }: { readonly name: string | undefined }) {
  switch (name) {
    case 'visits':
      return <VisitsTab />;
    case 'landing':
      return <LandingTab />;
    case 'undeclared':
      return <UndeclaredTab />;
    default:
      return <CrawlersTab />;
  }
}
