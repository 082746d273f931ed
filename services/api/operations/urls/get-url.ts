import { z } from '@hono/zod-openapi';
import { readUrlSections, urlSections } from '../../../../shared/answers/url.js';
import { readUrlLogs, urlLogs } from '../../../../shared/answers/url-logs.js';
import { answerWindow, toAnswerWindow } from '../../../../shared/answers/windows.js';
import { PublicError } from '../../../../shared/errors.js';
import { blockRowsFor } from '../../../../shared/queries/segments.js';
import { isOwnHost, readAddress } from '../../../../shared/websites/path-of-address.js';
import { websiteRead } from '../../operation.js';
import { scopeParameters, segmentParameter } from '../../parameters.js';
import { resolveScope } from '../../resolve-scope.js';
import { scanningReader } from '../../slow-reads/answer-or-buffer.js';
import { windowName } from '../window-read.js';

export const getUrl = websiteRead({
  id: 'getUrl',
  tag: 'URLs',
  path: '/url',
  summary: 'All about one URL',
  description:
    'What the logs, the sitemaps, the nightly page importance and the connected sources say of one URL. `segment`, `countries` and the other filters narrow `logs` alone. `logs` is read from the single requests of the window: over a long one it may be null and `data_buffering` true, while the other sections are there; repeat the same call and it returns the finished result. A section whose source is not connected says so in `reason`.',
  query: z.object({
    path: z.string().min(1).max(8192).openapi({
      description:
        'The path as logged: exact, case counts, percent-encoded (and then encoded once more for the query string). A query string and a fragment are dropped, as is the address of the website before the path.',
      example: '/page/5',
    }),
    ...scopeParameters(),
    segment: segmentParameter,
  }),
  answer: z.object({
    path: z.string().openapi({ description: 'The path that was looked up.' }),
    window: answerWindow,
    logs: urlLogs.nullable().openapi({
      description: 'Its requests in the window; null while data_buffering.',
    }),
    ...urlSections,
    data_buffering: z.boolean().openapi({
      description:
        'true: the requests are still being read, and logs is null; repeat the call after Retry-After.',
    }),
  }),
  async run(input, context) {
    const { website, services, now } = context;
    const path = pathOf(input.path, website.domain);
    const scope = resolveScope(input, context);
    const { segment: rules } = scope.filters;
    const blockRows = rules === undefined ? undefined : blockRowsFor([rules]);
    const question = ['getUrl', scope.websiteId, windowName(input), scope.filters, path];
    const [sections, logs] = await Promise.all([
      readUrlSections(services.reader, { websiteId: website.id, window: scope.window, path, now }),
      services.slowReads.answer(JSON.stringify(question), website.organisationId, (timeLeft) =>
        readUrlLogs(scanningReader(services.reader, timeLeft, { blockRows }), scope, path),
      ),
    ]);
    return {
      path,
      window: toAnswerWindow(scope.window),
      logs: logs.ready ? logs.value : null,
      ...sections,
      data_buffering: !logs.ready,
    };
  },
});

/** @throws PublicError invalid_request */
function pathOf(text: string, domain: string): string {
  const { host, path } = readAddress(text);
  if (host !== null && !isOwnHost(host, domain))
    throw new PublicError(
      'invalid_request',
      `path: expected a URL of ${domain}, got one of ${host.slice(0, 100)}`,
    );
  if (!path.startsWith('/'))
    throw new PublicError(
      'invalid_request',
      `path: expected a path that begins with a slash, got "${path.slice(0, 40)}"`,
    );
  return path;
}
