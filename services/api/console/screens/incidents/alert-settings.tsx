import { useState } from 'preact/hooks';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { logText, short, words } from '../../format.js';
import { Card } from '../../parts/card.js';
import { CodeBlock } from '../../parts/code-block.js';
import { useWebsite } from '../../parts/website.js';

type Config = Answer<'getAlertConfig'>['config'];
type Field = readonly [name: keyof Config, title: string];

const severities = ['info', 'warning', 'critical'];

const families: readonly (readonly [title: string, isOn: keyof Config, minutes: keyof Config])[] = [
  ['Traffic', 'traffic_alerts_enabled', 'traffic_frequency_minutes'],
  ['Errors', 'error_alerts_enabled', 'error_frequency_minutes'],
  ['Bots', 'bot_alerts_enabled', 'bot_frequency_minutes'],
  ['Search', 'seo_alerts_enabled', 'seo_frequency_minutes'],
];
const messages: readonly Field[] = [
  ['email_notifications_enabled', 'E-mail'],
  ['min_email_severity', 'E-mail from severity'],
  ['email_disabled_types', 'No e-mail about'],
  ['digest_enabled', 'Daily digest'],
  ['min_digest_severity', 'Digest from severity'],
  ['digest_send_hour_utc', 'Hour of the digest (UTC)'],
  ['webhook_notifications_enabled', 'Webhooks'],
  ['webhook_urls', 'Addresses of webhooks'],
];
const suppressed: readonly Field[] = [
  ['suppressed_crawlers', 'Crawlers without alerts'],
  ['suppressed_bots', 'Bots without alerts'],
];

/** The settings of alerts. The operator changes them; this screen shows the command. */
export function AlertSettings() {
  const { website } = useWebsite();
  const read = useRead('getAlertConfig', website, {}, { when: website !== null });
  return (
    <Card
      title="Alert settings"
      read={read}
      table={({ config }) => ({
        caption: 'Alert settings',
        rows: Object.entries(config),
        columns: [
          { title: 'Setting', value: ([name]: [string, unknown]) => name },
          { title: 'Value', value: ([, value]: [string, unknown]) => String(value) },
        ],
      })}
    >
      {({ config, baseline_status }) => (
        <div class="settings">
          <p>
            <b>Baseline: {words(baseline_status.status)}.</b> {baseline_status.message}{' '}
            <span class="caption">{short(baseline_status.data_points)} intervals of 5 minutes.</span>
          </p>
          {config.alerts_enabled ? null : (
            <p class="notice warning">
              All alerts of this website are off (<code>alerts_enabled</code>).
            </p>
          )}
          <Families config={config} />
          <Facts title="Messages" fields={messages} config={config} />
          <Facts title="Suppressed" fields={suppressed} config={config} />
          <ChangeSetting website={website ?? ''} config={config} />
        </div>
      )}
    </Card>
  );
}

/** Builds the command that changes a setting; the API has no write for it. */
function ChangeSetting({ website, config }: { readonly website: string; readonly config: Config }) {
  const names = Object.keys(config) as (keyof Config)[];
  const [name, setName] = useState<keyof Config>('min_email_severity');
  const [value, setValue] = useState<string | null>(null);
  const shown = value ?? textToSet(name, config[name]);
  const options = optionsOf(name, config[name]);
  return (
    <section>
      <h3>Change a setting</h3>
      <p class="caption">
        Settings are changed on the server, by its operator. Choose the setting and its value, then run the
        command there.
      </p>
      <div class="setting-choice">
        <label>
          Setting
          <select
            value={name}
            onChange={(event) => {
              setName(event.currentTarget.value as keyof Config);
              setValue(null);
            }}
          >
            {names.map((each) => (
              <option key={each} value={each}>
                {words(each)}
              </option>
            ))}
          </select>
        </label>
        <label for="setting-value">
          Value
          {options === null ? (
            <input
              id="setting-value"
              type="text"
              value={shown}
              maxLength={2_000}
              onInput={(event) => setValue(event.currentTarget.value)}
            />
          ) : (
            <select
              id="setting-value"
              value={shown}
              onChange={(event) => setValue(event.currentTarget.value)}
            >
              {options.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
          )}
        </label>
      </div>
      <CodeBlock
        title="command"
        text={`npm run admin -- alerts config --website ${website} --set ${quoted(`${name}=${shown}`)}`}
      />
      {Array.isArray(config[name]) ? <p class="caption">Entries are separated by commas.</p> : null}
    </section>
  );
}

/** As the command reads it. The list of webhooks begins empty, since only their hosts are known here. */
function textToSet(name: keyof Config, value: Config[keyof Config]): string {
  if (name === 'webhook_urls') return '';
  if (Array.isArray(value)) return value.join(',');
  return name.endsWith('_severity') ? (severities[Number(value) - 1] ?? String(value)) : String(value);
}

function optionsOf(name: keyof Config, value: Config[keyof Config]): readonly string[] | null {
  if (typeof value === 'boolean') return ['true', 'false'];
  return name.endsWith('_severity') ? severities : null;
}

/** For a shell: quoted unless it has only harmless characters. */
function quoted(text: string): string {
  return /^[\w=.,:/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function Families({ config }: { readonly config: Config }) {
  return (
    <table class="families">
      <caption class="visually-hidden">Families of alerts</caption>
      <thead>
        <tr>
          <th scope="col">Family</th>
          <th scope="col">Alerts</th>
          <th scope="col">Evaluated</th>
          <th scope="col">Settings</th>
        </tr>
      </thead>
      <tbody>
        {families.map(([title, isOn, minutes]) => (
          <tr key={title}>
            <th scope="row">{title}</th>
            <td class={config[isOn] ? 'good' : 'bad'}>{config[isOn] ? 'on' : 'off'}</td>
            <td>every {String(config[minutes])} min</td>
            <td>
              <code>{isOn}</code> <code>{minutes}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Facts({
  title,
  fields,
  config,
}: {
  readonly title: string;
  readonly fields: readonly Field[];
  readonly config: Config;
}) {
  return (
    <section>
      <h3>{title}</h3>
      <dl class="facts">
        {fields.map(([name, label]) => (
          <div key={name}>
            <dt>
              {label} <code>{name}</code>
            </dt>
            <dd>{textOf(name, config[name])}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function textOf(name: string, value: Config[keyof Config]): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(logText).join(', ');
  return name.endsWith('_severity') ? (severities[Number(value) - 1] ?? String(value)) : String(value);
}
