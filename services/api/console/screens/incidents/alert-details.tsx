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
  ['hours_old', 'age when found'],
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

/** The evidence of an alert as text: figures first, then lists as tables. Each type has fields of its own. */
export function AlertDetails({ details }: { readonly details: Details }) {
  const entries = Object.entries(details);
  const isList = ([, value]: [string, unknown]) =>
    (Array.isArray(value) && value.some(isRecord)) || isRecord(value);
  const figures = entries.filter((entry) => !isList(entry));
  return (
    <>
      <dl class="facts">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{titleOf(name)}</dt>
            <dd>
              <Value name={name} value={value} />
            </dd>
          </div>
        ))}
      </dl>
      {entries.filter(isList).map(([name, value]) =>
        isRecord(value) ? (
          <details key={name} class="evidence">
            <summary>{titleOf(name)}</summary>
            <AlertDetails details={value} />
          </details>
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
  return name === 'at' ? moment(text) : logText(text);
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
