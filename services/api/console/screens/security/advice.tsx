import { useAddress, windowOf } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { logText } from '../../format.js';
import { Card } from '../../parts/card.js';
import { CodeBlock } from '../../parts/code-block.js';
import { DataTable } from '../../parts/data-table.js';
import { useWebsite } from '../../parts/website.js';
import { Badges } from './badges.js';

type Snippet = Answer<'getRecommendationSnippet'>;

const types = [
  { name: 'block_ips', title: 'Block addresses' },
  { name: 'block_bots', title: 'Block impostors' },
  { name: 'gone_404s', title: 'Answer 410 for pages not found' },
] as const satisfies readonly { readonly name: Snippet['type']; readonly title: string }[];

const targets = [
  'cloudflare',
  'cloudfront',
  'fastly',
  'nginx',
  'apache',
  'netlify',
  'vercel',
  'robots',
] as const satisfies readonly Snippet['target'][];

/** The advice as configuration to paste. Nothing is applied. */
export function Advice() {
  const { address, go, link } = useAddress();
  const { website } = useWebsite();
  const type = types.find(({ name }) => name === address.rest.advice)?.name ?? 'block_ips';
  const target = targets.find((name) => name === address.rest.target);
  const read = useRead(
    'getRecommendationSnippet',
    website,
    { type, target, ...windowOf(address.period) },
    { when: website !== null },
  );
  return (
    <Card title="Configuration to paste" caption="nothing is applied for you" read={read}>
      {(answer) => (
        <>
          <div class="choices-line">
            {types.map(({ name, title }) => (
              <a
                key={name}
                href={link({ rest: { ...address.rest, advice: name } })}
                aria-current={name === type ? 'true' : undefined}
              >
                {title}
              </a>
            ))}
            <select
              aria-label="For"
              value={answer.target}
              onChange={(event) => go({ rest: { ...address.rest, target: event.currentTarget.value } })}
            >
              {targets.map((name) => (
                <option key={name} value={name}>
                  {name === 'robots' ? 'robots.txt' : name}
                </option>
              ))}
            </select>
          </div>
          {answer.snippet === '' ? null : (
            <>
              <CodeBlock title={`${answer.filename}: ${answer.count} entries`} text={answer.snippet} />
              <Entries entries={answer.entries} isByAddress={type === 'block_ips'} />
            </>
          )}
          <ul class="notes">
            {answer.notes.map((note) => (
              <li key={note}>{logText(note)}</li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

type Entry = Snippet['entries'][number];

/** Every entry of the configuration with its reasons, to review before it is pasted. */
function Entries({
  entries,
  isByAddress,
}: {
  readonly entries: readonly Entry[];
  readonly isByAddress: boolean;
}) {
  const { link } = useAddress();
  return (
    <details>
      <summary>Review the {entries.length} entries</summary>
      <DataTable
        table={{
          caption: 'Entries of the configuration',
          rows: entries,
          columns: [
            {
              title: 'Entry',
              value: ({ entry }: Entry) => entry,
              show: ({ entry }: Entry) =>
                isByAddress ? (
                  <a class="path" href={link({ rest: { tab: 'addresses', ip: entry } })}>
                    {logText(entry)}
                  </a>
                ) : (
                  <span class="path">{logText(entry)}</span>
                ),
            },
            { title: 'Requests', value: ({ request_count }: Entry) => request_count, isNumber: true },
            {
              title: 'Reasons',
              value: ({ reason_badges }: Entry) => reason_badges.join(', '),
              show: ({ reason_badges }: Entry) => <Badges names={reason_badges} />,
            },
          ],
        }}
      />
    </details>
  );
}
