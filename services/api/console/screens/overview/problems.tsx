import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import type { ReadState } from '../../api/use-read.js';
import { logText, words } from '../../format.js';
import { beganText, timesOfAlert } from '../../parts/alert-times.js';
import { Card } from '../../parts/card.js';

type Alert = Answer<'listAlerts'>['alerts'][number];

const MOST_ROWS = 7;

/** The window's incidents, newest first. */
export function Problems({ alerts }: { readonly alerts: ReadState<Answer<'listAlerts'>> }) {
  const { link } = useAddress();
  return (
    <Card
      title="Incidents"
      read={alerts}
      empty={{ when: (answer) => answer.alerts.length === 0, text: 'No incident in this window.' }}
      table={(answer) => ({
        caption: 'Incidents',
        rows: answer.alerts,
        columns: [
          { title: 'First request', value: (alert: Alert) => timesOfAlert(alert).firstRequest },
          { title: 'Began after', value: (alert: Alert) => timesOfAlert(alert).beganAfter },
          { title: 'Found', value: ({ created_at }: Alert) => created_at },
          { title: 'Severity', value: ({ severity }: Alert) => severity },
          { title: 'Type', value: ({ alert_type }: Alert) => alert_type },
          { title: 'Message', value: ({ message }: Alert) => message },
        ],
      })}
    >
      {(answer) => (
        <ul class="incidents">
          {answer.alerts.slice(0, MOST_ROWS).map((alert) => (
            <li key={alert.alert_id}>
              <i class={alert.severity} aria-hidden="true" />
              <a href={link({ screen: 'incidents', rest: { alert: alert.alert_id } })}>
                <b>{words(alert.alert_type)}</b>
                <span class="visually-hidden"> ({alert.severity})</span>
              </a>
              <time>{beganText(timesOfAlert(alert))}</time>
              <p>{logText(alert.message)}</p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
