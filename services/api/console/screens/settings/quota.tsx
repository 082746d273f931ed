import type { ReadState } from '../../api/use-read.js';
import { bytes, moment, percent, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import type { Setup } from './receiving.js';

/** How much of the hour's quota is used. */
export function Quota({ setup }: { readonly setup: ReadState<Setup> }) {
  return (
    <Card title="Quota of this hour" caption="logs sent for this website" read={setup}>
      {({ quota }) => (
        <dl class="facts">
          <dt>Lines</dt>
          <dd>
            <Use {...quota.rows} show={short} />
          </dd>
          <dt>Bytes</dt>
          <dd>
            <Use {...quota.bytes} show={bytes} />
          </dd>
          <dt>Resets</dt>
          <dd>{moment(quota.reset_at)}</dd>
        </dl>
      )}
    </Card>
  );
}

function Use({
  used,
  limit,
  show,
}: {
  readonly used: number;
  readonly limit: number;
  readonly show: (value: number) => string;
}) {
  return (
    <>
      <meter class="crawl-progress" min={0} max={limit} value={used} aria-label="Share used" /> {show(used)}{' '}
      of {show(limit)}, {percent((used / Math.max(limit, 1)) * 100)}
    </>
  );
}
