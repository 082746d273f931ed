import '../../style/record-parts.css';
import '../../style/incidents.css';
import { useState } from 'preact/hooks';
import { periods, useAddress } from '../../address.js';
import { useRead } from '../../api/use-read.js';
import { beginning, timesOfIncident } from '../../parts/alert-times.js';
import { Tabs } from '../../parts/tabs.js';
import { useWebsite } from '../../parts/website.js';
import { AlertCard, AlertEvidence, foundAt } from './alert-card.js';
import { AlertSettings } from './alert-settings.js';
import { ExpectedBand } from './expected-band.js';
import { Extent } from './extent.js';
import { firstShown, OpenIncidents, PastIncidents } from './incident-lists.js';

const tabs = [
  { name: '', title: 'Incidents' },
  { name: 'settings', title: 'Alert settings' },
];
/** The most that the API lists. */
const MOST_INCIDENTS = 500;

export function Incidents() {
  const { address } = useAddress();
  return (
    <>
      <h1 class="visually-hidden">Incidents</h1>
      <Tabs label="Parts of incidents" tabs={tabs} />
      {address.rest.tab === 'settings' ? <AlertSettings /> : <Found />}
    </>
  );
}

/** The list next to the chosen alert; without a choice, the newest alert. */
function Found() {
  const { address } = useAddress();
  const { website } = useWebsite();
  const [acknowledged, setAcknowledged] = useState<ReadonlySet<string>>(new Set());
  const list = useRead(
    'listAlerts',
    website,
    {
      view: 'incidents',
      limit: MOST_INCIDENTS,
      acknowledged: address.rest.acknowledged === 'false' ? false : undefined,
    },
    { when: website !== null, every: 30_000 },
  );
  const incidents = list.answer?.incidents ?? [];
  const chosen = address.rest.alert ?? firstShown(list.answer, address.period)?.latest_alert.alert_id ?? null;
  const incident = incidents.find(({ alerts }) => chosen !== null && alerts.includes(chosen)) ?? null;
  return (
    <div class={`incident-columns ${address.rest.alert === undefined ? '' : 'has-choice'}`}>
      <div class="stack">
        <OpenIncidents list={list} chosen={chosen} acknowledged={acknowledged} />
        <PastIncidents list={list} chosen={chosen} acknowledged={acknowledged} />
      </div>
      <div class="stack">
        {chosen === null ? null : (
          <AlertCard
            key={chosen}
            alertId={chosen}
            incident={incident}
            acknowledged={acknowledged}
            onAcknowledged={(ids) => setAcknowledged((before) => new Set([...before, ...ids]))}
          />
        )}
        {incident === null ? null : (
          <Extent
            key={incident.latest_alert.alert_id}
            of={{ type: incident.alert_type, subject: incident.subject }}
            times={timesOfIncident(incident)}
          />
        )}
        {chosen === null && !(address.period in periods) ? null : (
          <ExpectedBand
            at={incident === null ? foundAt(chosen) : beginning(timesOfIncident(incident))}
            type={incident?.alert_type ?? null}
          />
        )}
        {chosen === null ? null : <AlertEvidence key={`evidence of ${chosen}`} alertId={chosen} />}
      </div>
    </div>
  );
}
