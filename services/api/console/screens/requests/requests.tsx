import '../../style/record-parts.css';
import '../../style/requests.css';
import { useAddress } from '../../address.js';
import { Tabs } from '../../parts/tabs.js';
import { LiveTail } from './live-tail.js';
import { RequestSearch } from './request-search.js';

const tabs = [
  { name: '', title: 'Search' },
  { name: 'live', title: 'Live' },
];

export function Requests() {
  const { address } = useAddress();
  return (
    <>
      <h1 class="visually-hidden">Requests</h1>
      <Tabs label="Parts of requests" tabs={tabs} />
      {address.rest.tab === 'live' ? <LiveTail /> : <RequestSearch />}
    </>
  );
}
