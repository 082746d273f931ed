import { scopeOf, useAddress } from '../../address.js';
import { useRead } from '../../api/use-read.js';
import { logText, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { dnsText, suspiciousOf, useVerification } from '../../parts/waiting-claims.js';
import { useWebsite } from '../../parts/website.js';
import { type FoundRequest, RequestTable } from '../requests/request-table.js';
import { Verdict } from '../requests/who.js';

const MOST_REQUESTS = 100;
const ROWS = 10;

type Verification = ReturnType<typeof useVerification>;

/** Whether an address is who it claims to be: the verdicts on its newest requests. */
export function OneAddress() {
  const { address, go } = useAddress();
  const { ip } = address.rest;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget as HTMLFormElement).get('ip') ?? '').trim();
    const { ip: _, ...rest } = address.rest;
    go({ rest: text === '' ? rest : { ...rest, ip: text } });
  };
  return (
    <>
      <form class="card lookup" onSubmit={submit} key={ip}>
        <label for="looked-up">Who is this address?</label>
        <input
          id="looked-up"
          type="text"
          name="ip"
          defaultValue={ip ?? ''}
          placeholder="66.249.66.1"
          maxLength={64}
          spellcheck={false}
          autocomplete="off"
        />
        <button type="submit" class="action">
          Look up
        </button>
      </form>
      {ip === undefined ? null : <Found ip={ip} />}
    </>
  );
}

function Found({ ip }: { readonly ip: string }) {
  const { address, link } = useAddress();
  const { website } = useWebsite();
  const read = useRead(
    'searchRequests',
    website,
    { ...scopeOf(address), client_ip: ip, limit: MOST_REQUESTS },
    { when: website !== null },
  );
  // The list below shows the same answer.
  const ips = useRead('getIps', website, scopeOf(address), { when: website !== null });
  const verification = useVerification();
  const total = ips.answer?.ips.find(({ client_ip }) => client_ip === ip)?.requests ?? null;
  return (
    <Card
      title={logText(ip)}
      caption={
        total === null
          ? `judged by its newest requests in this window, at most ${MOST_REQUESTS}`
          : `${short(total)} requests in this window; judged by the newest, at most ${MOST_REQUESTS}`
      }
      read={read}
      empty={{
        when: ({ requests }) => requests.length === 0,
        text: 'This address sent no request in this window.',
      }}
      table={({ requests }) => ({
        caption: 'Requests of the address',
        rows: requests,
        columns: [
          { title: 'Time', value: ({ timestamp }: FoundRequest) => timestamp },
          { title: 'Path', value: ({ path }: FoundRequest) => path },
          { title: 'Status', value: ({ status }: FoundRequest) => status, isNumber: true },
          { title: 'Bot', value: ({ bot_name }: FoundRequest) => bot_name },
          {
            title: 'Verification',
            value: ({ bot_verification_status }: FoundRequest) => bot_verification_status,
          },
          { title: 'User agent', value: ({ user_agent }: FoundRequest) => user_agent },
        ],
      })}
    >
      {({ requests, next_cursor }) => (
        <>
          <p>{placeOf(requests[0])}</p>
          <ul class="verdicts">
            {verdictsOf(requests).map(({ key, name, status, method, count }) => (
              <li key={key}>
                <b>{logText(name)}</b>{' '}
                {status === 'pending' && suspiciousOf(verification, name) !== null ? (
                  <span class="verdict warn">suspicious</span>
                ) : (
                  <Verdict status={status} />
                )}{' '}
                <small>
                  {countOf(count, next_cursor !== null)} requests
                  {methodText(status, method, name, verification)}
                </small>
              </li>
            ))}
          </ul>
          <RequestTable label={`Requests of ${ip}`} requests={requests.slice(0, ROWS)} />
          <p class="pages">
            <a href={link({ screen: 'requests', requestFilters: { client_ip: ip } })}>
              all {countOf(total ?? requests.length, total === null && next_cursor !== null)} requests →
            </a>
          </p>
        </>
      )}
    </Card>
  );
}

/** A number that more requests than were read may exceed. */
function countOf(count: number, isCut: boolean): string {
  return isCut ? `${short(count)}+` : short(count);
}

const methods: ReadonlyMap<string, string> = new Map([
  ['ranges', 'by the published ranges'],
  ['network', 'by the operator’s own network'],
  ['cdn', 'by the CDN'],
  ['reverse_dns', 'by reverse DNS'],
]);

/** How the claim was decided. A check without a result decided nothing. */
function methodText(status: string | null, method: string, bot: string, verification: Verification): string {
  if (method === '') return '';
  if (status !== 'pending') return `, decided ${methods.get(method) ?? logText(method)}`;
  if (verification === null) return '';
  const since = dnsText(verification);
  return suspiciousOf(verification, bot) === null ? `, ${since}` : `, outside the published ranges; ${since}`;
}

function placeOf(request: FoundRequest | undefined): string {
  if (request === undefined) return '';
  const { as_name, asn, city, region, country } = request;
  return [as_name, asn === null ? '' : `AS${asn}`, city, region, country]
    .filter((text) => text !== '')
    .map(logText)
    .join(', ');
}

/** How many of the requests claim to be which bot, with the verdict on the claim. */
function verdictsOf(requests: readonly FoundRequest[]) {
  const groups = new Map<string, { name: string; status: string | null; method: string; count: number }>();
  for (const { is_bot, bot_name, bot_verification_status, bot_verification_method } of requests) {
    const name = bot_name !== '' ? bot_name : is_bot ? 'undeclared agent' : 'person';
    const key = JSON.stringify([name, bot_verification_status, bot_verification_method]);
    const group = groups.get(key);
    if (group !== undefined) group.count += 1;
    else
      groups.set(key, { name, status: bot_verification_status, method: bot_verification_method, count: 1 });
  }
  return [...groups].map(([key, group]) => ({ key, ...group })).sort((a, b) => b.count - a.count);
}
