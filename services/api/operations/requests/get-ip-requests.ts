import { z } from '@hono/zod-openapi';
import { PublicError } from '../../../../shared/errors.js';
import { pagingFields, rowsOfPage, toPaging } from '../../../../shared/reads/answer/paging.js';
import { answerWindow, toAnswerWindow } from '../../../../shared/reads/answer/windows.js';
import { readIpRequests } from '../../../../shared/reads/requests/request-rows-sql.js';
import { quickOrSlow } from '../../operation/answer-or-buffer.js';
import { websiteRead } from '../../operation/operation.js';
import { clientIpParameter, integerParameter, pageParameters } from '../../operation/parameters.js';
import { resolveWindow } from '../../operation/resolve-scope.js';
import { ipRequestEntry, toIpRequestEntry } from './request-rows.js';

export const getIpRequests = websiteRead({
  id: 'getIpRequests',
  tag: 'Requests',
  path: '/ips/{ip_address}/requests',
  summary: 'Requests of one client address',
  description:
    'All requests of one IPv4 or IPv6 address in the rolling window, newest first, in pages. `total` counts them all.',
  query: z.object({
    hours: integerParameter({ min: 1, max: 168, default: 24, description: 'Rolling window ending now.' }),
    ...pageParameters(),
  }),
  pathParameters: z.object({
    ip_address: clientIpParameter('IPv4 or IPv6 address.'),
  }),
  answer: z.object({
    ip_address: z.string().openapi({ description: 'The address in its shortest form.' }),
    window: answerWindow,
    requests: z.array(ipRequestEntry),
    total: z.int().openapi({ description: 'Requests of the address in the window.' }),
    ...pagingFields,
  }),
  async run({ hours, page, page_size, ip_address }, { website, now, services }) {
    const address = ip_address as string;
    const window = resolveWindow({ hours }, now);
    const scope = { websiteId: website.id, window, filters: {} };
    const rows = rowsOfPage({ page, page_size });
    const question = ['getIpRequests', website.id, hours, address, rows.limit, rows.offset];
    const found = await quickOrSlow(services, {
      key: JSON.stringify(question),
      owner: website.organisationId,
      read: (reader) => readIpRequests(reader, { scope, clientIp: address, ...rows }),
    });
    if (!found.ready) throw stillRunning();
    const { total, requests } = found.value;
    return {
      ip_address: address,
      window: toAnswerWindow(window),
      requests: requests.map(toIpRequestEntry),
      total,
      ...toPaging({ page, page_size }, total),
    };
  },
});

/** Seconds. The next call gets the answer or joins the read. */
const RETRY_SECONDS = 5;

function stillRunning(): PublicError {
  return new PublicError(
    'unavailable',
    'The requests of this address are still being read; repeat the call to get the result.',
    { retryAfterSeconds: RETRY_SECONDS },
  );
}
