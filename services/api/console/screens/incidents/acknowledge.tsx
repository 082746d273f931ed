import { useState } from 'preact/hooks';
import { callWrite, type Outcome } from '../../api/read.js';
import { forgetAnswers } from '../../api/use-read.js';
import { logText, moment } from '../../format.js';
import { Notice, noticeOf } from '../../parts/notice.js';

interface Seen {
  readonly acknowledged_at: string | null;
  readonly acknowledged_by: string | null;
}

/** `Acknowledged by ann@example.com, Nov 28, 16:04.` */
function seenText({ acknowledged_at, acknowledged_by }: Seen): string {
  if (acknowledged_at === null) return 'Acknowledged.';
  const by = acknowledged_by === null ? '' : ` by ${logText(acknowledged_by)}`;
  return `Acknowledged${by}, ${moment(acknowledged_at)}.`;
}

/** Marks the alerts as seen, one call each. Without ids, all are acknowledged. */
export function Acknowledge({
  website,
  ids,
  seen,
  onDone,
}: {
  readonly website: string;
  readonly ids: readonly string[];
  /** The shown alert, with its acknowledgement. */
  readonly seen: Seen;
  readonly onDone: (ids: readonly string[]) => void;
}) {
  const [isRunning, setIsRunning] = useState(false);
  const [problem, setProblem] = useState<Exclude<Outcome<unknown>, { kind: 'answer' }> | null>(null);
  const run = async () => {
    setIsRunning(true);
    setProblem(null);
    const done: string[] = [];
    for (const id of ids) {
      const outcome = await callWrite(
        'POST',
        `/websites/${encodeURIComponent(website)}/alerts/${encodeURIComponent(id)}/acknowledge`,
      );
      if (outcome.kind !== 'answer') {
        setProblem(outcome);
        break;
      }
      done.push(id);
    }
    forgetAnswers(['listAlerts', 'getHealth']);
    setIsRunning(false);
    onDone(done);
  };
  return (
    <div class="actions" aria-live="polite">
      {ids.length === 0 ? (
        <p class="caption good">{seenText(seen)}</p>
      ) : (
        <button type="button" class="action" disabled={isRunning} onClick={() => void run()}>
          {isRunning
            ? 'Acknowledging …'
            : ids.length === 1
              ? 'Acknowledge'
              : `Acknowledge ${ids.length} alerts`}
        </button>
      )}
      {problem === null ? null : <Notice notice={noticeOf({ problem, isBuffering: false, ignored: [] })} />}
    </div>
  );
}
