import { useRead } from '../../api/use-read.js';
import { short, words } from '../../format.js';
import { ActionForm, useAction } from '../../parts/action.js';
import { Card } from '../../parts/card.js';
import { CodeBlock } from '../../parts/code-block.js';
import { useWebsite } from '../../parts/website.js';
import { changesOf } from './alert-setting-changes.js';
import {
  type Config,
  Digest,
  Email,
  Families,
  Suppressed,
  Switch,
  Webhooks,
} from './alert-setting-fields.js';

/** The settings of alerts: an owner changes them, a viewer reads them. */
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
          {config.alerts_enabled ? null : <p class="notice warning">All alerts of this website are off.</p>}
          <SettingsForm website={website ?? ''} config={config} />
          <p class="caption">The operator sets the addresses of webhooks on the server:</p>
          <CodeBlock
            title="command"
            text={`npm run admin -- alerts config --website ${website} --set webhook_urls=https://hooks.example.com/…`}
          />
        </div>
      )}
    </Card>
  );
}

function SettingsForm({ website, config }: { readonly website: string; readonly config: Config }) {
  const action = useAction(['getAlertConfig', 'listSiteEvents']);
  const save = (form: HTMLFormElement) =>
    void action.send<{ changed: readonly string[] }>(
      'PATCH',
      `console/websites/${encodeURIComponent(website)}/alert-settings`,
      changesOf(controlsOf(form), new FormData(form), config),
      ({ changed }) => (changed.length === 0 ? 'Nothing was changed.' : 'The settings are saved.'),
    );
  return (
    <ActionForm label="Alert settings" action={action} onSend={save} submit="Save the settings" showsViewers>
      <Switch name="alerts_enabled" label="Alerts of this website" config={config} />
      <Families config={config} />
      <Email config={config} />
      <Digest config={config} />
      <Webhooks config={config} />
      <Suppressed config={config} />
    </ActionForm>
  );
}

function controlsOf(form: HTMLFormElement): ReadonlySet<string> {
  return new Set([...form.elements].map((control) => control.getAttribute('name') ?? ''));
}
