import { useSession } from '../../api/session.js';
import { useRead } from '../../api/use-read.js';
import { Panel } from '../../parts/panel.js';
import { useWebsite } from '../../parts/website.js';

/** Keys are shown once, where they are made: in the operator's terminal. */
export function Keys() {
  const { website } = useWebsite();
  const session = useSession();
  const billing = useRead('getBilling', null, {});
  const organisation = session?.organisation.id ?? billing.answer?.org_id ?? '<organisation>';
  return (
    <Panel title="Keys" caption="an operator of this installation makes them in a terminal">
      <h3>API keys</h3>
      <Command text={`npm run admin -- api-keys create ${organisation} --name "Reporting" --scope read`} />
      <Command text={`npm run admin -- api-keys list ${organisation}`} />
      <h3>Keys that logs are sent with</h3>
      <Command text={`npm run admin -- ingest-keys create ${website}`} />
      <Command text="npm run admin -- ingest-keys rotate <key>" />
      <h3>Sign-in links of this console</h3>
      <Command text="npm run admin -- sign-in --user <e-mail> --role viewer" />
      <p class="caption">
        Sessions of the console and connected clients are in the list of API keys.{' '}
        <code>api-keys revoke &lt;key&gt;</code> ends one.
      </p>
    </Panel>
  );
}

export function Command({ text }: { readonly text: string }) {
  return <pre class="source-text">{text}</pre>;
}
