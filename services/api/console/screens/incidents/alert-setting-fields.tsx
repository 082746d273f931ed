import type { Answer } from '../../api/operations.js';
import { logText, words } from '../../format.js';
import { Field, SelectField, TextField } from '../../parts/fields.js';

/** Groups of fields of the alert settings. The form reads the fields by their names when it is sent. */

export type Config = Answer<'getAlertConfig'>['config'];
type AlertType = Config['email_disabled_types'][number];
type NameOf<Value> = {
  [Name in keyof Config]: Config[Name] extends Value ? Name : never;
}[keyof Config];

interface Props {
  readonly config: Config;
}

const families = [
  ['traffic', 'Traffic'],
  ['error', 'Errors'],
  ['bot', 'Bots'],
  ['seo', 'Search'],
] as const;
const severities = [
  ['1', 'info'],
  ['2', 'warning'],
  ['3', 'critical'],
] as const;
/** All types of alerts: a record, so that the check of types finds a missing one. */
const alertTypes = Object.keys({
  traffic_spike: true,
  traffic_drop: true,
  log_silence: true,
  latency_spike: true,
  error_rate: true,
  error_spike_5xx: true,
  not_found_spike: true,
  new_bot: true,
  fake_crawler: true,
  undeclared_agent: true,
  hacking_probe: true,
  scraper: true,
  crawler_drop: true,
  crawler_errors: true,
  crawler_blocked: true,
  check_failed: true,
} satisfies Record<AlertType, true>) as AlertType[];

/** A setting that is on or off. */
export function Switch({
  name,
  label,
  config,
}: Props & { readonly name: NameOf<boolean>; readonly label: string }) {
  return (
    <label class="check">
      <input type="checkbox" name={name} defaultChecked={config[name]} /> {label}
    </label>
  );
}

export function Families({ config }: Props) {
  return (
    <fieldset class="families">
      <legend>Rules</legend>
      <p class="caption">How often the rules of a family are evaluated: a multiple of 5 minutes.</p>
      {families.map(([family, title]) => (
        <fieldset key={family}>
          <legend>{title}</legend>
          <Switch name={`${family}_alerts_enabled`} label="Alerts" config={config} />
          <TextField
            label="Every … minutes"
            name={`${family}_frequency_minutes`}
            type="number"
            required
            min={5}
            max={1_440}
            step={5}
            defaultValue={String(config[`${family}_frequency_minutes`])}
          />
        </fieldset>
      ))}
    </fieldset>
  );
}

export function Email({ config }: Props) {
  return (
    <fieldset>
      <legend>E-mail</legend>
      <p class="caption">To every person of the organisation, one for each incident.</p>
      <Switch name="email_notifications_enabled" label="Send e-mails" config={config} />
      <SelectField
        label="From severity"
        name="min_email_severity"
        options={severities}
        value={String(config.min_email_severity) as '1'}
      />
      <fieldset class="checks">
        <legend>No e-mail about</legend>
        {alertTypes.map((type) => (
          <label key={type} class="check">
            <input
              type="checkbox"
              name="email_disabled_types"
              value={type}
              defaultChecked={config.email_disabled_types.includes(type)}
            />{' '}
            {words(type)}
          </label>
        ))}
      </fieldset>
    </fieldset>
  );
}

export function Digest({ config }: Props) {
  return (
    <fieldset>
      <legend>Daily digest</legend>
      <Switch name="digest_enabled" label="Send one e-mail a day" config={config} />
      <div class="field-row">
        <SelectField
          label="From severity"
          name="min_digest_severity"
          options={severities}
          value={String(config.min_digest_severity) as '1'}
        />
        <TextField
          label="Hour (UTC)"
          name="digest_send_hour_utc"
          type="number"
          required
          min={0}
          max={23}
          defaultValue={String(config.digest_send_hour_utc)}
        />
      </div>
    </fieldset>
  );
}

/** Their addresses are no field: a part of each is a secret that no answer has, and the operator makes the secret of the signatures. */
export function Webhooks({ config }: Props) {
  return (
    <fieldset>
      <legend>Webhooks</legend>
      <Switch name="webhook_notifications_enabled" label="Call webhooks" config={config} />
      <p class="caption">
        {config.webhook_urls.length === 0
          ? 'There is no address yet.'
          : config.webhook_urls.map((url, place) => (
              <code key={place} class="one-of">
                {logText(url)}
              </code>
            ))}
      </p>
    </fieldset>
  );
}

export function Suppressed({ config }: Props) {
  return (
    <fieldset>
      <legend>Without alerts</legend>
      <p class="caption">One name a line. Names are compared without regard to case.</p>
      <div class="field-row">
        <Names label="Crawlers" name="suppressed_crawlers" config={config} />
        <Names label="Bots" name="suppressed_bots" config={config} />
      </div>
    </fieldset>
  );
}

function Names({
  label,
  name,
  config,
}: Props & { readonly label: string; readonly name: 'suppressed_crawlers' | 'suppressed_bots' }) {
  return (
    <Field label={label} name={name}>
      <textarea name={name} rows={4} maxLength={40_000} defaultValue={config[name].join('\n')} />
    </Field>
  );
}
