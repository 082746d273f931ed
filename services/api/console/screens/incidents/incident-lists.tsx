import { useState } from 'preact/hooks';
import { type Address, useAddress, windowOf } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import type { ReadState } from '../../api/use-read.js';
import { logText, short } from '../../format.js';
import { beganText, lengthOf, timesOfIncident } from '../../parts/alert-times.js';
import { Card } from '../../parts/card.js';
import type { Table } from '../../parts/data-table.js';

type List = Answer<'listAlerts'>;
export type Incident = NonNullable<List['incidents']>[number];

interface IncidentListProps {
  readonly list: ReadState<List>;
  /** Id of the alert that is shown next to the list. */
  readonly chosen: string | null;
  /** Ids that were acknowledged since the list was read. */
  readonly acknowledged: ReadonlySet<string>;
}

const HOUR_MS = 3_600_000;
const ROWS_AT_FIRST = 12;

/** Incidents that may still repeat, also those outside of the window. */
export function OpenIncidents(props: IncidentListProps) {
  const open = ({ incidents = [] }: List) => incidents.filter(({ status }) => status === 'active');
  return (
    <Card
      title="Open now"
      read={props.list}
      empty={{ when: (answer) => open(answer).length === 0, text: 'No incident is open.' }}
      table={(answer) => tableOf('Open incidents', open(answer))}
    >
      {(answer) => <Rows {...props} incidents={open(answer)} />}
    </Card>
  );
}

/** Incidents of the window that have cleared. */
export function PastIncidents(props: IncidentListProps) {
  const { address, link } = useAddress();
  const onlyNew = address.rest.acknowledged === 'false';
  const past = (answer: List) => pastOf(answer, address.period);
  const { acknowledged } = props;
  const { acknowledged: _, ...rest } = address.rest;
  return (
    <Card
      title="Past"
      caption="in the chosen window · critical first, then the newest"
      read={props.list}
      empty={{
        when: (answer) => past(answer).length === 0 && !onlyNew,
        text: 'No incident in this window. A longer window may have some.',
      }}
      table={(answer) => tableOf('Past incidents', past(answer))}
    >
      {(answer) => (
        <>
          <p class="choices-line">
            <a href={link({ rest })} aria-current={onlyNew ? undefined : 'true'}>
              all
            </a>
            <a
              href={link({ rest: { ...rest, acknowledged: 'false' } })}
              aria-current={onlyNew ? 'true' : undefined}
            >
              not acknowledged in this window ({short(unseenOf(past(answer), acknowledged))})
            </a>
          </p>
          {past(answer).length === 0 ? (
            <p class="empty">Each incident of this window is acknowledged.</p>
          ) : (
            <Rows {...props} incidents={past(answer)} />
          )}
        </>
      )}
    </Card>
  );
}

function Rows({
  incidents,
  chosen,
  acknowledged,
}: IncidentListProps & { readonly incidents: readonly Incident[] }) {
  const { address, link } = useAddress();
  const [most, setMost] = useState(ROWS_AT_FIRST);
  return (
    <>
      <ul class="incidents">
        {incidents.slice(0, most).map((incident) => {
          const { latest_alert, severity, title, count, alerts } = incident;
          const isChosen = chosen !== null && alerts.includes(chosen);
          return (
            <li key={latest_alert.alert_id} class={isChosen ? 'chosen' : ''}>
              <i class={severity} aria-hidden="true" />
              <a
                href={link({ rest: { ...address.rest, alert: latest_alert.alert_id } })}
                aria-current={isChosen ? 'true' : undefined}
              >
                <b>{logText(title)}</b>
                <span class="visually-hidden"> ({severity})</span>
              </a>
              <time>{beganText(timesOfIncident(incident))}</time>
              <p>
                {lengthText(incident)}
                {count > 1 ? ` · ${count} alerts` : ''}
                {isAcknowledged(incident, acknowledged) ? ' · acknowledged' : ''}
              </p>
            </li>
          );
        })}
      </ul>
      {incidents.length > most ? (
        <button type="button" class="more" onClick={() => setMost(most + 50)}>
          {incidents.length - most} more incidents
        </button>
      ) : null}
    </>
  );
}

function isAcknowledged({ acknowledged_all, alerts }: Incident, acknowledged: ReadonlySet<string>): boolean {
  return acknowledged_all || alerts.every((id) => acknowledged.has(id));
}

/** The incident that is shown without a choice: an open one, else the first of the window. */
export function firstShown(list: List | null, period: Address['period']): Incident | undefined {
  if (list === null) return undefined;
  return list.incidents.find(({ status }) => status === 'active') ?? pastOf(list, period)[0];
}

function unseenOf(incidents: readonly Incident[], acknowledged: ReadonlySet<string>): number {
  return incidents.filter((incident) => !isAcknowledged(incident, acknowledged)).length;
}

function pastOf({ incidents = [] }: List, period: Address['period']): Incident[] {
  const window = windowOf(period);
  const [start, end] =
    'hours' in window
      ? [Date.now() - window.hours * HOUR_MS, Date.now()]
      : [Date.parse(window.start), Date.parse(window.end)];
  return incidents
    .filter(
      ({ status, first_seen, last_seen }) =>
        status === 'cleared' && Date.parse(last_seen) >= start && Date.parse(first_seen) <= end,
    )
    .toSorted((a, b) => Number(b.severity === 'critical') - Number(a.severity === 'critical'));
}

/** How long it lasted: from its first to its last request, or at most, by windows. */
function lengthText(incident: Incident): string {
  if (incident.status === 'active') return 'open';
  const { minutes, isExact } = lengthOf(timesOfIncident(incident));
  const lasted = isExact ? 'lasted' : 'lasted at most';
  if (minutes < 90) return `${lasted} ${minutes} min`;
  return minutes < 2_880
    ? `${lasted} ${Math.round(minutes / 60)} h`
    : `${lasted} ${Math.round(minutes / 1_440)} days`;
}

function tableOf(caption: string, rows: readonly Incident[]): Table {
  return {
    caption,
    rows,
    columns: [
      { title: 'First request', value: ({ first_request_at }: Incident) => first_request_at },
      { title: 'Last request', value: ({ last_request_at }: Incident) => last_request_at },
      { title: 'Began after', value: ({ began_after }: Incident) => began_after },
      { title: 'Found', value: ({ first_seen }: Incident) => first_seen },
      { title: 'Last found', value: ({ last_seen }: Incident) => last_seen },
      { title: 'Severity', value: ({ severity }: Incident) => severity },
      { title: 'Type', value: ({ alert_type }: Incident) => alert_type },
      { title: 'Title', value: ({ title }: Incident) => title },
      { title: 'Alerts', value: ({ count }: Incident) => count, isNumber: true },
      { title: 'Status', value: ({ status }: Incident) => status },
      {
        title: 'Acknowledged',
        value: ({ acknowledged_all }: Incident) => (acknowledged_all ? 'yes' : 'no'),
      },
    ],
  };
}
