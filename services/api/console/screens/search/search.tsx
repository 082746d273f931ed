import '../../style/analysis.css';
import '../../style/lists.css';
import { useAddress } from '../../address.js';
import { type Tab, Tabs } from '../../parts/tabs.js';
import { DnsState } from '../../parts/waiting-claims.js';
import { useWebsite } from '../../parts/website.js';
import { BudgetTab } from './budget-tab.js';
import { ConsistencyTab } from './consistency-tab.js';
import { ImportanceTab } from './importance-tab.js';
import { PatternsTab } from './patterns-tab.js';

const tabs: readonly Tab[] = [
  { name: '', title: 'Crawl budget' },
  { name: 'patterns', title: 'URL patterns' },
  { name: 'consistency', title: 'Status consistency' },
  { name: 'importance', title: 'Importance' },
];

/** Search crawlers: where they spend their requests, what they get, and which pages they care for. */
export function Search() {
  const { address } = useAddress();
  const { domain } = useWebsite();
  return (
    <>
      <h1 class="visually-hidden">Search crawlers on {domain}</h1>
      <Tabs tabs={tabs} label="Parts of search crawlers" />
      <DnsState />
      <Part name={address.rest.tab} />
    </>
  );
}

function Part({ name }: { readonly name: string | undefined }) {
  switch (name) {
    case 'patterns':
      return <PatternsTab />;
    case 'consistency':
      return <ConsistencyTab />;
    case 'importance':
      return <ImportanceTab />;
    default:
      return <BudgetTab />;
  }
}
