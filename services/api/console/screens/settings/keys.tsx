import { Panel } from '../../parts/panel.js';
import { useWebsite } from '../../parts/website.js';

/** Commands of the operator: keys for sending logs, and links. */
export function Keys() {
  const { website } = useWebsite();
  return (
    <Panel
      title="Ingest keys and sign-in links"
      caption="an operator of this installation makes them in a terminal"
    >
      <h3>Keys that logs are sent with</h3>
      <Command text={`npm run admin -- ingest-keys create ${website}`} />
      <Command text="npm run admin -- ingest-keys rotate <key>" />
      <h3>Sign-in links of this console</h3>
      <Command text="npm run admin -- sign-in --user <e-mail> --role viewer" />
    </Panel>
  );
}

export function Command({ text }: { readonly text: string }) {
  return <pre class="source-text">{text}</pre>;
}
