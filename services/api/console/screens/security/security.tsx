import '../../style/record-parts.css';
import '../../style/requests.css';
import '../../style/security.css';
import { useAddress, windowOf } from '../../address.js';
import { useRead } from '../../api/use-read.js';
import { Tabs } from '../../parts/tabs.js';
import { DnsState } from '../../parts/waiting-claims.js';
import { useWebsite } from '../../parts/website.js';
import { AddressesToBlock } from './addresses-to-block.js';
import { Advice } from './advice.js';
import { BotAccess } from './bot-access.js';
import { Impostors } from './impostors.js';
import { OneAddress } from './one-address.js';
import { TopAddresses } from './top-addresses.js';

const tabs = [
  { name: '', title: 'Impostors and probes' },
  { name: 'addresses', title: 'Addresses' },
  { name: 'access', title: 'Access of bots' },
];

export function Security() {
  const { address } = useAddress();
  return (
    <>
      <h1 class="visually-hidden">Security</h1>
      <Tabs label="Parts of security" tabs={tabs} />
      <DnsState />
      <Part tab={address.rest.tab ?? ''} />
    </>
  );
}

function Part({ tab }: { readonly tab: string }) {
  if (tab === 'access') return <BotAccess />;
  if (tab === 'addresses')
    return (
      <>
        <OneAddress />
        <TopAddresses />
      </>
    );
  return <Found />;
}

function Found() {
  const { address } = useAddress();
  const { website } = useWebsite();
  const read = useRead('getRecommendations', website, windowOf(address.period), { when: website !== null });
  return (
    <div class="columns">
      <AddressesToBlock read={read} />
      <div class="stack">
        <Impostors read={read} />
        <Advice />
      </div>
    </div>
  );
}
