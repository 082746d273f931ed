import type { ReadState } from '../../api/use-read.js';
import { logText, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import type { Setup } from './receiving.js';

const MOST_LISTS = 8;

/** The data that verifies crawlers' claims. */
export function Verification({ setup }: { readonly setup: ReadState<Setup> }) {
  return (
    <Card title="Verification of crawlers" read={setup}>
      {({
        verification: {
          reverse_dns,
          unproved_requests,
          oldest_list_days,
          newest_list_days,
          old_lists,
          refused_lists,
        },
      }) => (
        <>
          <dl class="facts">
            <dt>Reverse DNS</dt>
            <dd class={reverse_dns === 'working' ? 'good' : 'warn'}>{reverse_dns.replaceAll('_', ' ')}</dd>
            <dt>Unproved requests</dt>
            <dd>{short(unproved_requests)}</dd>
            <dt>Lists of addresses</dt>
            <dd>
              {newest_list_days === null
                ? 'none'
                : `${short(newest_list_days)} to ${short(oldest_list_days)} days old`}
            </dd>
            <dt>Old lists</dt>
            <dd>{namesOf(old_lists)}</dd>
          </dl>
          {refused_lists.length === 0 ? null : (
            <details>
              <summary>{short(refused_lists.length)} lists could not be renewed</summary>
              {refused_lists.map(({ list, problem }) => (
                <p key={list} class="caption">
                  {logText(list)}: {logText(problem)}
                </p>
              ))}
            </details>
          )}
        </>
      )}
    </Card>
  );
}

function namesOf(lists: readonly string[]): string {
  const shown = lists.slice(0, MOST_LISTS).map(logText).join(', ');
  if (lists.length === 0) return 'none';
  return lists.length > MOST_LISTS ? `${shown} and ${lists.length - MOST_LISTS} more` : shown;
}
