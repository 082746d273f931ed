import '../../style/screen-parts.css';
import { useRead } from '../../api/use-read.js';
import { Tabs, useTab } from '../../parts/tabs.js';
import { useWebsite } from '../../parts/website.js';
import { AccessKeys } from './access-keys.js';
import { Connections } from './connections.js';
import { Keys } from './keys.js';
import { Plan } from './plan.js';
import { Quota } from './quota.js';
import { Receiving } from './receiving.js';
import { SessionCard } from './session-card.js';
import { Verification } from './verification.js';
import { WebsiteList } from './website-list.js';

const tabs = [
  { name: 'websites', title: 'Websites' },
  { name: 'logs', title: 'Sending logs' },
  { name: 'connections', title: 'Keys and connections' },
  { name: 'plan', title: 'Session and plan' },
] as const;

/** Websites, the way of their logs, keys, connected sources, the session and the plan. */
export function Settings() {
  const tab = useTab(tabs);
  return (
    <>
      <h1 class="visually-hidden">Settings</h1>
      <Tabs tabs={tabs} label="Settings" />
      {tab === 'logs' ? (
        <SendingLogs />
      ) : tab === 'connections' ? (
        <>
          <AccessKeys />
          <div class="columns">
            <Connections />
            <Keys />
          </div>
        </>
      ) : tab === 'plan' ? (
        <div class="columns">
          <SessionCard />
          <Plan />
        </div>
      ) : (
        <WebsiteList />
      )}
    </>
  );
}

const REPEAT_MS = 10_000;

function SendingLogs() {
  const { website } = useWebsite();
  const setup = useRead('getSetup', website, {}, { when: website !== null, every: REPEAT_MS });
  return (
    <>
      <Receiving setup={setup} />
      <div class="columns">
        <Quota setup={setup} />
        <Verification setup={setup} />
      </div>
    </>
  );
}
