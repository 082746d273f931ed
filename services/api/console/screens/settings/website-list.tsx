import { useState } from 'preact/hooks';
import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { day, logText } from '../../format.js';
import { ActionForm, useAction } from '../../parts/action.js';
import { Card } from '../../parts/card.js';
import { columnsOf } from '../../parts/columns.js';
import { TextField } from '../../parts/fields.js';
import { Panel } from '../../parts/panel.js';
import { useWebsite } from '../../parts/website.js';

type Website = Answer<'listWebsites'>['websites'][number];

interface Created {
  readonly website_id: string;
  readonly domain: string;
  readonly ingest: { readonly url: string; readonly header: string; readonly api_key: string };
  readonly guide_url: string;
  readonly notes: readonly string[];
}

const column = columnsOf<Website>();

/** The websites of the organisation, and the form that registers one. */
export function WebsiteList() {
  const { link } = useAddress();
  const { list, website } = useWebsite();
  return (
    <>
      <Card
        title="Websites"
        read={list}
        empty={{
          when: ({ websites }) => websites.length === 0,
          text: 'No website yet. Register the first one.',
        }}
        table={({ websites }) => ({
          caption: 'Websites',
          rows: websites,
          columns: [
            column.text('Domain', 'domain', ({ id, domain }) => (
              <>
                <a href={link({ website: id })}>{logText(domain)}</a>{' '}
                {id === website ? <small>shown now</small> : null}
              </>
            )),
            column.text('Name', 'name'),
            column.text('Logs come from', 'source_type'),
            column.text('Since', 'created_at', ({ created_at }) => day(created_at)),
            column.text('Id', 'id', ({ id }) => <code>{id}</code>),
          ],
        })}
      />
      <NewWebsite />
    </>
  );
}

function NewWebsite() {
  const action = useAction(['listWebsites']);
  const [domain, setDomain] = useState('');
  const [created, setCreated] = useState<Created | null>(null);
  const create = async () => {
    const made = await action.send<Created>('POST', '/websites', { domain }, 'The website is registered.');
    if (made === null) return;
    setCreated(made);
    setDomain('');
  };
  return (
    <Panel title="New website" caption="the platform is found by DNS">
      <ActionForm
        label="New website"
        action={action}
        onSend={() => void create()}
        submit="Register the website"
      >
        <TextField
          label="Domain"
          name="domain"
          required
          maxLength={2_048}
          placeholder="www.example.com"
          value={domain}
          onChange={setDomain}
        />
      </ActionForm>
      {created === null ? null : <FirstKey created={created} />}
    </Panel>
  );
}

/** The ingest key, which no later answer has. */
function FirstKey({
  created: { website_id, domain, ingest, guide_url, notes },
}: {
  readonly created: Created;
}) {
  const { link } = useAddress();
  return (
    <>
      <p class="notice warning">Store the key now: it is not shown again.</p>
      <dl class="facts">
        <dt>Key</dt>
        <dd>
          <code>{ingest.api_key}</code>
        </dd>
        <dt>Address</dt>
        <dd>
          <code>{ingest.url}</code>, header <code>{ingest.header}</code>
        </dd>
        <dt>Next</dt>
        <dd>
          <a href={guide_url}>How to send logs</a>, then{' '}
          <a href={link({ website: website_id, rest: { tab: 'logs' } })}>
            watch {logText(domain)} receive them
          </a>
        </dd>
      </dl>
      {notes.map((note) => (
        <p key={note} class="notice info">
          {logText(note)}
        </p>
      ))}
    </>
  );
}
