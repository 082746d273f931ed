import type { Answer } from '../../api/operations.js';
import type { ReadState } from '../../api/use-read.js';
import { ago, logText, NOT_KNOWN } from '../../format.js';
import { Card } from '../../parts/card.js';

type Robots = Answer<'getRobots'>;

/** A file may have 500 KiB; the browser shows its first part quickly. */
const MOST_CHARACTERS = 40_000;

const outcomes: ReadonlyMap<string, string> = new Map([
  ['not_fetched_yet', 'Not fetched yet. A new website’s file is fetched within minutes.'],
  [
    'fetching_is_off',
    'This installation does not fetch from websites. An operator adds the file: npm run admin -- robots store --website <id> --file robots.txt',
  ],
  ['missing', 'The website has no robots.txt, so crawlers may read everything.'],
  ['blocked', 'The website refused Loglane. Crawlers may still get the file.'],
  ['server_error', 'The server failed when the file was fetched.'],
  ['unreachable', 'The website did not answer.'],
]);

/** robots.txt in force now. */
export function RobotsFile({ robots }: { readonly robots: ReadState<Robots> }) {
  return (
    <Card title="robots.txt today" caption="the version in force now" read={robots}>
      {(answer) => (
        <>
          <dl class="facts">
            <dt>Last fetch</dt>
            <dd>
              {ago(answer.fetched_at)}, HTTP {answer.http_status ?? NOT_KNOWN}
            </dd>
            <dt>Sitemaps in it</dt>
            <dd>{(answer.sitemaps ?? []).map(logText).join(', ') || 'none'}</dd>
          </dl>
          <Outcome status={answer.status ?? ''} />
          {answer.problem === null ? null : <p class="notice warning">{logText(answer.problem)}</p>}
          {answer.using_saved ? (
            <p class="notice info">The last fetch failed. The version before is in force for 30 days.</p>
          ) : null}
          {answer.raw_content === null ? null : <FileText text={answer.raw_content} />}
          {answer.is_truncated ? (
            <p class="caption">The file is longer than the 500 KiB that crawlers read.</p>
          ) : null}
        </>
      )}
    </Card>
  );
}

function Outcome({ status }: { readonly status: string }) {
  const text = outcomes.get(status);
  return text === undefined ? null : <p class="notice warning">{text}</p>;
}

function FileText({ text }: { readonly text: string }) {
  const lines = text.slice(0, MOST_CHARACTERS).split(/\r\n|\r|\n/);
  return (
    <>
      <section class="source-text" tabIndex={0} aria-label="Text of robots.txt">
        {lines.map(logText).join('\n')}
      </section>
      {text.length > MOST_CHARACTERS ? (
        <p class="caption">Only the beginning is shown; the call that “curl” copies returns all of it.</p>
      ) : null}
    </>
  );
}
