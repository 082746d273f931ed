import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import type { ReadState } from '../../api/use-read.js';
import { logText, moment } from '../../format.js';
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
          { title: 'Since', value: ({ created_at }: Alert) => created_at },
          { title: 'Severity', value: ({ severity }: Alert) => severity },
          { title: 'Type', value: ({ alert_type }: Alert) => alert_type },
          { title: 'Message', value: ({ message }: Alert) => message },
        ],
      })}
    >
      {(answer) => (
        <ul class="incidents">
          {answer.alerts
            .slice(0, MOST_ROWS)
            .map(({ alert_id, severity, alert_type, message, created_at }) => (
              <li key={alert_id}>
                <i class={severity} aria-hidden="true" />
                <a href={link({ screen: 'incidents', rest: { alert: alert_id } })}>
                  <b>{alert_type.replaceAll('_', ' ')}</b>
                  <span class="visually-hidden"> ({severity})</span>
                </a>
                <time dateTime={created_at}>{moment(created_at)}</time>
                <p>{logText(message)}</p>
              </li>
            ))}
        </ul>
      )}
    </Card>
  );
}
