import type { Answer } from '../../api/operations.js';
import type { ReadState } from '../../api/use-read.js';
import { ago, logText, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { Figures } from '../../parts/figures.js';

export type Setup = Answer<'getSetup'>;

/** The address for logs, the number of received lines, and the last rejected line. */
export function Receiving({ setup }: { readonly setup: ReadState<Setup> }) {
  return (
    <Card title="Sending logs" caption={setup.answer?.source_type ?? ''} read={setup}>
      {({ ingest, logs, guide_url, next_steps }) => (
        <>
          <Figures
            figures={[
              {
                title: 'State',
                value: (
                  <span class={logs.state === 'receiving' ? 'good' : 'warn'}>
                    {logs.state.replaceAll('_', ' ')}
                  </span>
                ),
              },
              { title: 'Last upload', value: ago(logs.last_upload?.at) },
              { title: 'Lines, 30 days', value: short(logs.records_last_30d) },
              { title: 'Accepted, 24 h', value: short(logs.uploads_24h.accepted) },
              {
                title: 'Rejected, 24 h',
                value: (
                  <span class={logs.uploads_24h.rejected > 0 ? 'bad' : ''}>
                    {short(logs.uploads_24h.rejected)}
                  </span>
                ),
              },
              {
                title: 'Refused uploads, 24 h',
                value: (
                  <span class={logs.uploads_24h.refused > 0 ? 'bad' : ''}>
                    {short(logs.uploads_24h.refused)}
                  </span>
                ),
              },
            ]}
          />
          {logs.last_upload?.reason == null ? null : (
            <p class="notice warning">The last upload was refused: {logText(logs.last_upload.reason)}</p>
          )}
          {logs.last_rejection === null ? null : (
            <p class="notice warning">
              Last rejected line, {ago(logs.last_rejection.at)}: line {logs.last_rejection.line},{' '}
              {logText(logs.last_rejection.reason)}
            </p>
          )}
          <dl class="facts">
            <dt>Address</dt>
            <dd>
              <code>{ingest.url}</code>
            </dd>
            <dt>Header</dt>
            <dd>
              <code>{ingest.header}: ll_…</code> (the website’s ingest key)
            </dd>
            <dt>Guide</dt>
            <dd>
              <a href={guide_url}>How to send logs of this platform</a>
            </dd>
          </dl>
          <ul class="next-steps">
            {next_steps.map((step) => (
              <li key={step}>{logText(step)}</li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}
