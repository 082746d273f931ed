import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { CodeBlock } from '../../parts/code-block.js';
import { GuideSteps } from './guide-steps.js';
import { guideNames } from './guides.js';

type Setup = Answer<'getSetup'>;

const FILE = 'file';
/** The senders that most people look for. The others follow in the list. */
const usual = ['nginx', 'apache', 'caddy', 'cloudflare', 'cloudfront', 'vercel', 'vector'];

/** Chooses a sender and shows its configuration with the real address. A file at hand is the quickest. */
export function Sender({ setup }: { readonly setup: Setup }) {
  const { address, go, link } = useAddress();
  const chosen = guideNames.find((name) => name === address.rest.from) ?? FILE;
  const choose = (from: string) => link({ rest: { ...address.rest, from } });
  const others = guideNames.filter((name) => !usual.includes(name));
  return (
    <section class="card" aria-label="Send logs from">
      <h2>Send logs from</h2>
      <div class="choices-line senders">
        {[FILE, ...usual].map((name) => (
          <a key={name} href={choose(name)} aria-current={name === chosen ? 'true' : undefined}>
            {name === FILE ? 'a log file' : name}
          </a>
        ))}
        <select
          aria-label="Another sender"
          value={others.includes(chosen) ? chosen : ''}
          onChange={(event) => go({ rest: { ...address.rest, from: event.currentTarget.value } })}
        >
          <option value="">another …</option>
          {others.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {chosen === FILE ? (
        <LogFile url={setup.ingest.url} header={setup.ingest.header} />
      ) : (
        <GuideSteps key={chosen} name={chosen} ingestUrl={setup.ingest.url} />
      )}
      <p class="pages">
        <a href={chosen === FILE ? 'public/v1/docs/guides' : `public/v1/docs/guides/${chosen}`}>
          {chosen === FILE ? 'All guides' : 'The whole guide'}
        </a>
        {chosen === FILE ? <a href={setup.guide_url}>The guide of this website</a> : null}
      </p>
    </section>
  );
}

function LogFile({ url, header }: { readonly url: string; readonly header: string }) {
  return (
    <div class="guide">
      <p>
        On the machine of Loglane, in its folder. The importer reads the address and the key from the
        credentials file:
      </p>
      <CodeBlock title="one or more files, also .gz" text="npx loglane import /var/log/nginx/access.log*" />
      <p>From any machine:</p>
      <CodeBlock
        title="with curl"
        text={`export INGEST_KEY=ll_…\ncurl "${url}" -H "${header}: $INGEST_KEY" --data-binary @/var/log/nginx/access.log`}
      />
      <p class="caption">
        Logs of nginx, Apache, Caddy, HAProxy, Traefik, IIS, CDNs and JSON lines are recognised by themselves.
      </p>
    </div>
  );
}
