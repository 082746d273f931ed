import { useState } from 'preact/hooks';
import { type Address, periods, useAddress } from '../address.js';
import { useWebsite } from '../parts/website.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Copies a link that shows this picture to another reader: with fixed dates, or with the last days of the day of reading. */
export function CopyLink() {
  const { address, wholeLink } = useAddress();
  const { website } = useWebsite();
  const [copied, setCopied] = useState<string | null>(null);
  const copy = async (kind: string, period: Address['period']) => {
    const link = new URL(wholeLink({ website, period }), document.baseURI);
    await navigator.clipboard.writeText(link.href);
    setCopied(kind);
    setTimeout(() => setCopied(null), 1_500);
  };
  const isRolling = address.period in periods;
  return (
    <span class="copy-link">
      <button
        type="button"
        class="tool"
        title="A link with these dates and this comparison"
        onClick={() => void copy('fixed', fixed(address.period))}
      >
        {copied === 'fixed' ? 'copied' : 'Copy link'}
      </button>
      {isRolling ? (
        <button
          type="button"
          class="tool"
          title={`A link that always shows the last ${address.period}`}
          onClick={() => void copy('rolling', address.period)}
        >
          {copied === 'rolling' ? 'copied' : `always the last ${address.period.replace(/(\d+)/, '$1 ')}`}
        </button>
      ) : null}
    </span>
  );
}

/** A rolling window as the server counts it now: up to the end of the current minute. */
function fixed(period: Address['period']): Address['period'] {
  if (!(period in periods)) return period;
  const end = (Math.floor(Date.now() / MINUTE_MS) + 1) * MINUTE_MS;
  const start = end - periods[period as keyof typeof periods] * HOUR_MS;
  return `${new Date(start).toISOString()}/${new Date(end).toISOString()}`;
}
