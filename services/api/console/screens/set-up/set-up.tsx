import '../../style/record-parts.css';
import '../../style/set-up.css';
import type { Answer } from '../../api/operations.js';
import type { ReadState } from '../../api/use-read.js';
import { ago, logText, short } from '../../format.js';
import { CodeBlock } from '../../parts/code-block.js';
import { Notice, noticeOf } from '../../parts/notice.js';
import { Demo } from './demo.js';
import { Sender } from './sender.js';

type Setup = Answer<'getSetup'>;

/** Shown until the first line of a website is stored: how to send lines, and what has arrived. */
export function SetUp({ setup }: { readonly setup: ReadState<Setup> }) {
  const { answer } = setup;
  if (answer === null) return null;
  return (
    <>
      <section class="card set-up-head">
        <h1>Send the first lines of {logText(answer.domain)}</h1>
        <p>
          This page turns into the overview as soon as the first lines are stored. You need not reload it.
        </p>
      </section>
      <div class="set-up-columns">
        <div class="stack">
          <Sender setup={answer} />
        </div>
        <div class="stack">
          <Arrivals setup={setup} answer={answer} />
          <KeyPlace website={answer.website_id} />
          <Demo />
        </div>
      </div>
    </>
  );
}

/** Counters of received lines, read every two seconds. */
function Arrivals({ setup, answer }: { readonly setup: ReadState<Setup>; readonly answer: Setup }) {
  const { last_upload: last, last_rejection: rejection, uploads_24h: counts } = answer.logs;
  return (
    <section class="card" aria-label="What has arrived" aria-live="polite">
      <h2>What has arrived</h2>
      <Notice notice={noticeOf(setup)} />
      <dl class="counters">
        <div>
          <dt>lines accepted</dt>
          <dd class={counts.accepted > 0 ? 'good' : ''}>{short(counts.accepted)}</dd>
        </div>
        <div>
          <dt>rejected</dt>
          <dd class={counts.rejected > 0 ? 'bad' : ''}>{short(counts.rejected)}</dd>
        </div>
        <div>
          <dt>no requests, skipped</dt>
          <dd>{short(counts.skipped)}</dd>
        </div>
      </dl>
      {last === null ? (
        <p class="waiting">
          <i aria-hidden="true" />
          Waiting for the first upload. An upload with a wrong key is answered 401 and does not show here.
        </p>
      ) : (
        <>
          <p>
            Last upload {ago(last.at)}:{' '}
            <b class={last.accepted > 0 ? 'good' : 'bad'}>
              {last.outcome === 'taken' && last.accepted === 0 ? 'no line was accepted' : last.outcome}
            </b>
            {last.source === null ? ', no format was recognised' : `, read as ${logText(last.source)}`}.
          </p>
          {last.reason === null ? null : <p class="notice error">{logText(last.reason)}</p>}
          {last.accepted > 0 ? (
            <p class="waiting">
              <i aria-hidden="true" />
              The lines are being stored. The overview appears within seconds.
            </p>
          ) : null}
        </>
      )}
      {rejection === null ? null : (
        <p class="notice warning">
          Last rejected line: line {rejection.line} of an upload {ago(rejection.at)}
          {rejection.source === null ? '' : `, read as ${logText(rejection.source)}`}.{' '}
          <b>{logText(rejection.reason)}</b>
        </p>
      )}
      {rejection === null ? null : (
        <p class="pages">
          <a href={answer.guide_url}>What this source has to send</a>
        </p>
      )}
      {last === null || last.accepted > 0 || rejection !== null ? null : (
        <ul class="notes">
          {answer.next_steps.map((step) => (
            <li key={step}>{logText(step)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The key is a secret of the server: a page never shows it. */
function KeyPlace({ website }: { readonly website: string }) {
  return (
    <section class="card" aria-label="The ingest key">
      <h2>The ingest key</h2>
      <p>
        It is <code>ingest_key</code> in the file <code>credentials.json</code>. The terminal of{' '}
        <code>npm start</code> prints where this file is. The answer that created another website showed its
        key once.
      </p>
      <p>An operator makes a new key:</p>
      <CodeBlock title="command" text={`npm run admin -- ingest-keys create ${website}`} />
    </section>
  );
}
