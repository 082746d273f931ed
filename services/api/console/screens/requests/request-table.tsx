import { useState } from 'preact/hooks';
import type { Answer } from '../../api/operations.js';
import { instant, logText, milliseconds } from '../../format.js';
import { RequestFields } from './request-fields.js';
import { Who } from './who.js';

export type FoundRequest = Answer<'searchRequests'>['requests'][number];
type LiveRequest = Answer<'getLive'>['requests'][number];

/** Requests as rows; a click on a path opens all that is known of the request. */
export function RequestTable({
  requests,
  label,
}: {
  readonly requests: readonly (FoundRequest | LiveRequest)[];
  readonly label: string;
}) {
  const [open, setOpen] = useState<string | null>(null);
  const keys = keysOf(requests);
  return (
    <section class="table-frame" tabIndex={0} aria-label={`Rows: ${label}`}>
      <table class="requests">
        <caption class="visually-hidden">{label}</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col" class="number">
              Status
            </th>
            <th scope="col">Request</th>
            <th scope="col">Who</th>
            <th scope="col">Address</th>
            <th scope="col" class="number">
              Time taken
            </th>
          </tr>
        </thead>
        <tbody>
          {requests.map((request, place) => {
            const key = keys[place] ?? '';
            const isOpen = open === key;
            return [
              <tr key={key} class={isOpen ? 'selected' : ''}>
                <td class="time">
                  <time dateTime={request.timestamp}>{instant(request.timestamp)}</time>
                </td>
                <td class={`number status-${request.status_category}`}>{request.status}</td>
                <th scope="row">
                  <button
                    type="button"
                    class="pick path"
                    aria-expanded={isOpen}
                    onClick={() => setOpen(isOpen ? null : key)}
                  >
                    <small>{logText(request.method)}</small> {logText(pathOf(request))}
                  </button>
                </th>
                <td>
                  <Who request={request} />
                </td>
                <td class="path">{logText(request.client_ip)}</td>
                <td class="number">
                  {milliseconds('time_taken' in request ? request.time_taken : request.time_taken_ms)}
                </td>
              </tr>,
              isOpen ? (
                <tr key={`${key} fields`} class="opened">
                  <td colSpan={6}>
                    <RequestFields request={request} />
                  </td>
                </tr>
              ) : null,
            ];
          })}
        </tbody>
      </table>
    </section>
  );
}

function pathOf(request: FoundRequest | LiveRequest): string {
  const path = request.path ?? '';
  return 'query' in request && request.query !== '' ? `${path}?${request.query}` : path;
}

/** Equal requests in the same millisecond are numbered, so that a row stays the same when newer ones come before it. */
function keysOf(requests: readonly (FoundRequest | LiveRequest)[]): string[] {
  const seen = new Map<string, number>();
  return requests
    .toReversed()
    .map(({ timestamp, client_ip, method, path, status }) => {
      const text = `${timestamp} ${client_ip} ${method} ${status} ${path}`;
      const count = seen.get(text) ?? 0;
      seen.set(text, count + 1);
      return `${text} ${count}`;
    })
    .toReversed();
}
