import type { ComponentChildren } from 'preact';
import { useAddress } from '../../address.js';
import { exact, logText, moment, words } from '../../format.js';

type Details = Readonly<Record<string, unknown>>;

const MOST_TEXTS = 10;
const MOST_ROWS = 20;

/** Names whose words alone would not say what the field is. */
const titles: ReadonlyMap<string, string> = new Map([
  ['of', 'counted'],
  ['current_value', 'found'],
  ['baseline_value', 'usual'],
  ['current_share_pct', 'share found'],
  ['baseline_share_pct', 'usual share'],
  ['deviation_pct', 'deviation'],
  ['window_minutes', 'within'],
  ['ip', 'address'],
  ['asn', 'network number'],
  ['status_4xx', 'answered 4xx'],
  ['status_5xx', 'answered 5xx'],
  ['from_import', 'from imported logs'],
  ['hours_old', 'age when imported'],
  ['first', 'first finding'],
  ['at', 'worst window ended'],
  ['worse_than', 'much worse than alert'],
]);
const units: ReadonlyMap<string, string> = new Map([
  ['pct', '%'],
  ['minutes', 'min'],
  ['seconds', 's'],
  ['ms', 'ms'],
  ['hours_old', 'h'],
]);

/** Fields that explain the detector rather than the incident. */
const inner: ReadonlySet<string> = new Set([
  ...['of', 'from_import', 'hours_old', 'first', 'at', 'worse_than', 'claimed_bot', 'asn', 'attack'],
  ...['slow_paths_at', 'unit', 'longest_usual_silence_minutes', 'longest_usual_minutes', 'timed_requests'],
]);
/** Shown as sentences elsewhere. */
const shownApart: ReadonlySet<string> = new Set([
  ...['caveat', 'began_after', 'first_request_at', 'last_request_at'],
]);
/** Figures over all requests of the window; `current_value` leaves out clients with alerts of their own. */
const LEFT_OUT =
  'Found: without clients that have an alert of their own. Answered: all requests of the window.';

/** The evidence of an alert as text: figures first, then lists as tables. Each type has fields of its own. */
export function AlertDetails({ details }: { readonly details: Details }) {
  const entries = Object.entries(details).filter(([name]) => !shownApart.has(name));
  const isInner = ([name]: [string, unknown]) => inner.has(name);
  const { caveat, current_value, status_5xx } = details;
  return (
    <>
      {typeof caveat === 'string' && caveat !== '' ? <p class="notice warning">{logText(caveat)}</p> : null}
      <Evidence entries={entries.filter((entry) => !isInner(entry))} />
      {current_value !== undefined && status_5xx !== undefined ? <p class="caption">{LEFT_OUT}</p> : null}
      {entries.some(isInner) ? (
        <details class="evidence">
          <summary>Details</summary>
          <Evidence entries={entries.filter(isInner)} />
        </details>
      ) : null}
    </>
  );
}

function Evidence({ entries }: { readonly entries: readonly [string, unknown][] }) {
  const isList = ([, value]: [string, unknown]) =>
    (Array.isArray(value) && value.some(isRecord)) || isRecord(value);
  const figures = entries.filter((entry) => !isList(entry));
  return (
    <>
      <dl class="evidence-facts">
        {figures.map(([name, value]) => (
          <div key={name} class={isLong(value) ? 'wide' : ''}>
            <dt>{titleOf(name)}</dt>
            <dd>
              <Value name={name} value={value} />
            </dd>
          </div>
        ))}
      </dl>
      {entries.filter(isList).map(([name, value]) =>
        isRecord(value) ? (
          <section key={name} class="evidence">
            <h3>{titleOf(name)}</h3>
            <Evidence entries={Object.entries(value)} />
          </section>
        ) : (
          <section key={name} class="evidence">
            <h3>{titleOf(name)}</h3>
            <Rows label={titleOf(name)} rows={value as unknown[]} />
          </section>
        ),
      )}
    </>
  );
}

function Rows({ rows, label }: { readonly rows: readonly unknown[]; readonly label: string }) {
  const records = rows
    .filter(isRecord)
    .slice(0, MOST_ROWS)
    .map((record) => new Map(Object.entries(record)));
  const names = [...new Set(records.flatMap((record) => [...record.keys()]))];
  return (
    <section class="table-frame" tabIndex={0} aria-label={label}>
      <table>
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col" class={classOf(name, records[0]?.get(name))}>
                {titleOf(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map((values, place) => (
            <tr key={place}>
              {names.map((name) => (
                <td key={name} class={classOf(name, values.get(name))}>
                  <Value name={name} value={values.get(name) ?? null} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > records.length ? <p class="caption">{rows.length - records.length} more</p> : null}
    </section>
  );
}

function Value({ name, value }: { readonly name: string; readonly value: unknown }): ComponentChildren {
  if (Array.isArray(value)) {
    const shown = value.slice(0, MOST_TEXTS);
    return (
      <>
        {shown.map((text, place) => (
          <span key={place} class="one-of">
            <Value name={name} value={text} />
          </span>
        ))}
        {value.length > shown.length ? ` and ${value.length - shown.length} more` : ''}
      </>
    );
  }
  if (value === null || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return name === 'asn' ? `AS${value}` : `${exact(value)}${unitOf(name)}`;
  if (typeof value !== 'string') return logText(JSON.stringify(value));
  return <Text name={name} text={value} />;
}

/** Addresses and paths lead to the screen about them. */
function Text({ name, text }: { readonly name: string; readonly text: string }) {
  const { link } = useAddress();
  if (name === 'ip' || name === 'sample_ip')
    return (
      <a class="path" href={link({ screen: 'security', rest: { tab: 'addresses', ip: text } })}>
        {logText(text)}
      </a>
    );
  if (text.startsWith('/') && /(?:^|_)paths?$/.test(name))
    return (
      <a class="path" href={link({ screen: 'pages', rest: { path: text } })}>
        {logText(text)}
      </a>
    );
  return isTime(name) ? moment(text) : logText(text);
}

function isTime(name: string): boolean {
  return name === 'at' || name === 'began_after' || (name.endsWith('_at') && name !== 'slow_paths_at');
}

/** Texts and lists of texts need the whole width. */
function isLong(value: unknown): boolean {
  return Array.isArray(value) || (typeof value === 'string' && value.length > 40);
}

function classOf(name: string, value: unknown): string {
  if (typeof value === 'number') return 'number';
  return name === 'user_agent' ? 'agent' : name === 'ip' ? 'address' : '';
}

function titleOf(name: string): string {
  return titles.get(name) ?? words(name.replace(/_(?:pct|minutes|seconds|ms)$/, ''));
}

function unitOf(name: string): string {
  const unit = units.get(name) ?? units.get(name.slice(name.lastIndexOf('_') + 1));
  return unit === undefined ? '' : ` ${unit}`;
}

function isRecord(value: unknown): value is Details {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
