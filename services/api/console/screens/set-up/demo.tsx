import '../../style/forms.css';
import '../../style/screen-parts.css';
import { useEffect, useState } from 'preact/hooks';
import { callConsole } from '../../api/read.js';
import { CodeBlock } from '../../parts/code-block.js';
import { Notice, problemNotice } from '../../parts/notice.js';

interface DemoState {
  readonly state: 'unavailable' | 'ready' | 'running' | 'done' | 'failed';
  readonly percent: number;
  readonly error: string | null;
}

const REPEAT_MS = 1_000;

/** Loads a week of a shop's traffic: by a button where this program can, else by a command. */
export function Demo() {
  const [demo, setDemo] = useState<DemoState | null>(null);
  const [failure, setFailure] = useState<ReturnType<typeof problemNotice> | null>(null);
  const call = async (body: object | null) => {
    const outcome = await callConsole<DemoState>('console/demo', body);
    if (outcome.kind === 'answer') setDemo(outcome.value);
    setFailure(outcome.kind === 'answer' || body === null ? null : problemNotice(outcome));
  };
  useEffect(() => {
    void call(null);
  }, []);
  useEffect(() => {
    if (demo?.state !== 'running') return;
    const timer = setTimeout(() => void call(null), REPEAT_MS);
    return () => clearTimeout(timer);
  }, [demo]);
  return (
    <section class="card" aria-label="No log at hand">
      <h2>No log at hand?</h2>
      <p>The demo is a week of a shop’s traffic, with crawlers, impostors and an outage.</p>
      {demo === null ? null : demo.state === 'unavailable' ? (
        <>
          <p>On the machine of a whole Loglane in one process, this command sends it:</p>
          <CodeBlock title="command" text="npx loglane demo" />
        </>
      ) : demo.state === 'running' ? (
        <p class="waiting" role="status">
          <i aria-hidden="true" />
          {demo.percent} % of the traffic is sent. The overview appears with the first lines.
        </p>
      ) : (
        <p>
          <button type="button" class="button" onClick={() => void call({})}>
            Load the demo
          </button>
        </p>
      )}
      <Notice notice={failure} />
      {demo?.error == null ? null : <p class="notice error">{demo.error}</p>}
    </section>
  );
}
