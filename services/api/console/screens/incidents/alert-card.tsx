import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { logText, moment, words } from '../../format.js';
import { timeSentences, timesOfAlert } from '../../parts/alert-times.js';
import { Card } from '../../parts/card.js';
import { useWebsite } from '../../parts/website.js';
import { Acknowledge } from './acknowledge.js';
import { AlertDetails } from './alert-details.js';
import type { Incident } from './incident-lists.js';

type Alert = NonNullable<Answer<'listAlerts'>['alerts']>[number];

interface AlertCardProps {
  readonly alertId: string;
  /** The alert's incident; null: not among those that were listed. */
  readonly incident: Incident | null;
  readonly acknowledged: ReadonlySet<string>;
  readonly onAcknowledged: (ids: readonly string[]) => void;
}

/** One alert: its sentence, its evidence, and the other alerts of its incident. */
export function AlertCard({ alertId, incident, acknowledged, onAcknowledged }: AlertCardProps) {
  const { website } = useWebsite();
  const read = useAlert(alertId);
  const found = alertIn(alertId);
  if (windowAround(alertId) === null) return <p class="card empty">This address names no alert.</p>;
  return (
    <Card
      title={incident === null ? 'Alert' : logText(incident.title)}
      read={read}
      empty={{
        when: (answer) => found(answer) === undefined,
        text: 'There is no such alert. It may have been removed with the logs that it was about.',
      }}
    >
      {(answer) => {
        const alert = found(answer);
        if (alert === undefined) return null;
        const ids = incident?.alerts ?? [alertId];
        const unseen =
          incident === null || incident.count === 1
            ? ids.filter(() => !alert.acknowledged)
            : incident.acknowledged_all
              ? []
              : ids;
        return (
          <>
            <Head alert={alert} />
            <Acknowledge
              website={website ?? ''}
              ids={unseen.filter((id) => !acknowledged.has(id))}
              seen={alert}
              onDone={onAcknowledged}
            />
            {incident === null ? null : <Siblings incident={incident} alertId={alertId} />}
          </>
        );
      }}
    </Card>
  );
}

/** The evidence of the worst window of an alert. */
export function AlertEvidence({ alertId }: { readonly alertId: string }) {
  const read = useAlert(alertId);
  const found = alertIn(alertId);
  if (windowAround(alertId) === null) return null;
  return (
    <Card
      title="Evidence"
      caption="of the window that the sentence is about"
      read={read}
      empty={{ when: (answer) => found(answer) === undefined, text: 'There is no evidence.' }}
      table={(answer) => ({
        caption: 'Evidence',
        rows: Object.entries(found(answer)?.details ?? {}),
        columns: [
          { title: 'Field', value: ([name]: [string, unknown]) => name },
          {
            title: 'Value',
            value: ([, value]: [string, unknown]) =>
              typeof value === 'string' ? value : JSON.stringify(value),
          },
        ],
      })}
    >
      {(answer) => <AlertDetails details={found(answer)?.details ?? {}} />}
    </Card>
  );
}

/** The read of one alert, which its blocks share. */
function useAlert(alertId: string) {
  const { website } = useWebsite();
  const window = windowAround(alertId);
  return useRead('listAlerts', website, window ?? {}, { when: website !== null && window !== null });
}

const alertIn = (alertId: string) => (answer: Answer<'listAlerts'>) =>
  answer.alerts?.find(({ alert_id }) => alert_id === alertId);

function Head({ alert }: { readonly alert: Alert }) {
  const { severity, alert_type, message, occurrences } = alert;
  return (
    <>
      <p class="alert-message">{logText(message)}</p>
      <p class="caption">
        <span class={`severity ${severity}`}>{severity}</span> {words(alert_type)} ·{' '}
        {timeSentences(timesOfAlert(alert)).join(' · ')}
        {occurrences === undefined ? '' : ` · in ${occurrences} windows`}
      </p>
    </>
  );
}

const MOST_SIBLINGS = 20;

/** Alerts of the same incident, by their instants. */
function Siblings({ incident, alertId }: { readonly incident: Incident; readonly alertId: string }) {
  const { address, link } = useAddress();
  if (incident.alerts.length < 2) return null;
  return (
    <>
      <h3>Alerts of this incident, by the time at which each was found</h3>
      <ul class="link-line">
        {incident.alerts.slice(0, MOST_SIBLINGS).map((id) => (
          <li key={id}>
            <a
              href={link({ rest: { ...address.rest, alert: id } })}
              aria-current={id === alertId ? 'true' : undefined}
            >
              {moment(foundAt(id))}
            </a>
          </li>
        ))}
        {incident.alerts.length > MOST_SIBLINGS ? (
          <li>and {incident.alerts.length - MOST_SIBLINGS} more</li>
        ) : null}
      </ul>
    </>
  );
}

/** The end of the window of the first finding, from an alert's id (`alertIdOf`), in milliseconds; NaN in other texts. */
export function foundAt(alertId: string | null): number {
  return Date.parse(alertId?.split('#')[0] ?? '');
}

function windowAround(alertId: string): { readonly start: string; readonly end: string } | null {
  const at = foundAt(alertId);
  if (Number.isNaN(at)) return null;
  return { start: new Date(at).toISOString(), end: new Date(at + 60_000).toISOString() };
}
