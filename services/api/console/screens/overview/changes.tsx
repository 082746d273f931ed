import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { change, day, logText, short } from '../../format.js';
import { timesOfAlert, whenText } from '../../parts/alert-times.js';
import { isCompared } from '../../parts/delta.js';

interface Sentence {
  readonly screen: string;
  /** The alert that the screen shows. */
  readonly alert?: string;
  readonly lead: string;
  readonly rest: string;
  /** How much it matters; the five largest are shown. */
  readonly weight: number;
}

const MOST_SENTENCES = 5;
/** Smaller changes are noise to a reader. */
const LEAST_CHANGE_PCT = 10;

export interface ChangesProps {
  readonly summary: Answer<'getSummary'> | null;
  readonly funnel: Answer<'getAiFunnel'> | null;
  readonly alerts: Answer<'listAlerts'> | null;
  /** The incidents could not be read: their absence means nothing. */
  readonly lacksAlerts: boolean;
}

/** The largest changes, in at most five sentences with the API's figures. Each sentence links to the screen with the details. */
export function Changes(props: ChangesProps) {
  const { address, link } = useAddress();
  if (props.summary === null) return null;
  const compares = isCompared(address);
  const sentences = sentencesOf(props, compares)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, MOST_SENTENCES);
  return (
    <section class="card changes" aria-label="What changed">
      <h2 class="visually-hidden">What changed</h2>
      {props.lacksAlerts ? (
        <p class="notice error">Incidents could not be read. They are missing here.</p>
      ) : null}
      {sentences.length === 0 ? (
        <p>{compares ? quietText(props.summary) : 'Nothing is compared with another window.'}</p>
      ) : (
        <ul>
          {sentences.map(({ screen, alert, lead, rest }) => (
            <li key={`${lead}${rest}`}>
              <a href={link({ screen, rest: alert === undefined ? {} : { alert } })}>{lead}</a> {rest}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Why there is nothing to say: no earlier requests to compare with, or no large change. */
function quietText({ previous, comparison_note, complete_since }: Answer<'getSummary'>): string {
  if (comparison_note)
    return `Nothing is compared: the logs are complete only since ${day(complete_since)}, after the earlier window begins.`;
  return previous === null || previous === undefined || previous.total_requests === 0
    ? 'The window before has no requests to compare with.'
    : 'Nothing changed by 10 % or more against the window before.';
}

function sentencesOf({ summary, funnel, alerts }: ChangesProps, compares: boolean): Sentence[] {
  const deltas = compares ? summary?.deltas : null;
  const moved = (
    name: string,
    screen: string,
    value: number | null | undefined,
    count: number,
  ): Sentence[] =>
    value === null || value === undefined || Math.abs(value) < LEAST_CHANGE_PCT || Math.abs(value) > 999
      ? []
      : [
          {
            screen,
            lead: `${name} ${value > 0 ? 'rose' : 'fell'} by ${change(Math.abs(value)).slice(1)}`,
            rest: `to ${short(count)} requests.`,
            weight: Math.min(Math.abs(value), 300),
          },
        ];
  const spoofed = summary?.spoofed_bot_requests ?? 0;
  return [
    ...(alerts?.alerts ?? [])
      .filter(({ severity, acknowledged }) => severity === 'critical' && !acknowledged)
      .slice(0, 2)
      .map(
        (alert): Sentence => ({
          screen: 'incidents',
          alert: alert.alert_id,
          lead: `Incident, ${whenText(timesOfAlert(alert))}:`,
          rest: logText(alert.message),
          weight: 1_000,
        }),
      ),
    ...moved('Visits by people', 'pages', deltas?.human_requests_pct, summary?.human_requests ?? 0),
    ...moved('Search crawling', 'search', deltas?.search_bot_requests_pct, summary?.search_bot_requests ?? 0),
    ...moved('AI crawling', 'ai', deltas?.ai_bot_requests_pct, summary?.ai_bot_requests ?? 0),
    ...moved('Other bots', 'security', deltas?.other_bot_requests_pct, summary?.other_bot_requests ?? 0),
    ...(spoofed === 0
      ? []
      : [
          {
            screen: 'security',
            lead: `${short(spoofed)} requests were forged`,
            rest: 'under the name of a crawler whose addresses they do not come from.',
            weight: 50,
          },
        ]),
    ...visitsSentence(funnel),
  ];
}

function visitsSentence(funnel: Answer<'getAiFunnel'> | null): Sentence[] {
  const best = funnel?.operators.toSorted((a, b) => b.referrals - a.referrals)[0];
  if (best === undefined || best.referrals === 0) return [];
  return [
    {
      screen: 'ai',
      lead: `${logText(best.operator)} sent ${short(best.referrals)} visits`,
      rest: `and fetched ${short(best.fetches)} pages for its users.`,
      weight: 30,
    },
  ];
}
