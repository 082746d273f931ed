import type { Answer } from '../api/operations.js';
import { useRead } from '../api/use-read.js';
import { moment, short } from '../format.js';
import { useWebsite } from './website.js';

type Verification = Answer<'getSetup'>['verification'];

/** The state of reverse DNS and the claims that wait for it; null until it is read. */
export function useVerification(): Verification | null {
  const { website } = useWebsite();
  return (
    useRead('getSetup', website, {}, { when: website !== null, every: 30_000 }).answer?.verification ?? null
  );
}

/** The claims of a bot from outside the addresses that its operator publishes; null: none waits. */
export function suspiciousOf(verification: Verification | null, bot: string) {
  return (
    verification?.waiting.find(({ bot_name, outside_ranges }) => bot_name === bot && outside_ranges) ?? null
  );
}

/** When reverse DNS decided last, or the first request that waits for it. */
export function dnsText({ unanswered_since }: Verification): string {
  return `reverse DNS not answered since ${moment(unanswered_since)}`;
}

/** A warning while claims wait for reverse DNS; without it, nothing. */
export function DnsState() {
  const verification = useVerification();
  if (verification === null || verification.unproved_requests === 0) return null;
  const outside = verification.waiting.filter(({ outside_ranges }) => outside_ranges);
  const suspicious = outside.reduce((sum, { requests }) => sum + requests, 0);
  return (
    <p class={`notice ${verification.reverse_dns === 'no_answer' ? 'warning' : 'info'}`}>
      {verification.reverse_dns === 'no_answer'
        ? `Crawler claims are not decided: ${dnsText(verification)}. `
        : 'Reverse DNS works. '}
      {short(verification.unproved_requests)} requests of the last 30 days wait for it
      {suspicious === 0 ? '' : `; ${short(suspicious)} of them are from outside the published ranges`}.
    </p>
  );
}

/** Proven impostors of a bot. Without one the number is not 0 while claims from outside the published ranges wait. */
export function Forged({ count, bot }: { readonly count: number; readonly bot: string }) {
  const suspicious = suspiciousOf(useVerification(), bot);
  return (
    <>
      <span class={count > 0 ? 'bad' : ''}>{count === 0 && suspicious !== null ? '?' : short(count)}</span>
      {suspicious === null ? null : (
        <small
          class="warn"
          title="from outside the published ranges, in the last 30 days; they wait for reverse DNS"
        >
          {' '}
          {short(suspicious.requests)} suspicious
        </small>
      )}
    </>
  );
}
