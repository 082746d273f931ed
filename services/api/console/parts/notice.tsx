import type { ReadState } from '../api/use-read.js';

export interface NoticeText {
  readonly kind: 'info' | 'warning' | 'error';
  readonly text: string;
}

/** The state of a block that a reader should know: why it is empty, old or incomplete, and the next step. null if it is complete. */
export function noticeOf(
  read: Pick<ReadState<unknown>, 'problem' | 'isBuffering' | 'ignored'>,
): NoticeText | null {
  const { problem, isBuffering, ignored } = read;
  if (problem !== null) return problemNotice(problem);
  if (isBuffering)
    return { kind: 'info', text: 'The server is still counting; the figures appear when it is done.' };
  if (ignored.length > 0)
    return {
      kind: 'info',
      text: `Not filtered: this block shows all, without ${ignored.map(nameOf).join(', ')}.`,
    };
  return null;
}

/** A parameter as the page names it. */
function nameOf(parameter: string): string {
  if (parameter === 'segment') return 'the segment';
  if (parameter === 'without_unproved') return '“verified only”';
  return `the filter “${parameter.replaceAll('_', ' ')}”`;
}

/** Why a call failed, and what to do. */
export function problemNotice(problem: NonNullable<ReadState<unknown>['problem']>): NoticeText {
  switch (problem.kind) {
    case 'signed-out':
      return { kind: 'error', text: 'The session has ended. Open a new sign-in link.' };
    case 'limited':
      return {
        kind: 'warning',
        text: `Too many reads this hour. It continues in ${problem.retryAfterSeconds} s.`,
      };
    case 'unreachable':
      return { kind: 'error', text: 'The server does not answer. The console tries again.' };
    case 'refused':
      if (problem.status === 503)
        return { kind: 'warning', text: 'The server is busy. The console tries again.' };
      return problem.code === 'plan_without_api'
        ? { kind: 'info', text: `Not on this plan: ${problem.detail}` }
        : { kind: problem.status < 500 ? 'warning' : 'error', text: problem.detail };
  }
}

export function Notice({ notice }: { readonly notice: NoticeText | null }) {
  if (notice === null) return null;
  return (
    <p class={`notice ${notice.kind}`} role={notice.kind === 'error' ? 'alert' : 'status'}>
      {notice.text}
    </p>
  );
}
