import { z } from '@hono/zod-openapi';
import { PublicError } from '../../../../shared/errors.js';
import { type AiLandingInput, aiLanding } from '../../../../shared/reads/ai/ai-landing.js';
import { visitRule } from '../../../../shared/reads/ai/ai-visits.js';
import { shortened } from '../../operation/input.js';
import { clampedParameter } from '../../operation/parameters.js';
import { windowRead } from '../../operation/window-read.js';

export const getAiLanding = windowRead({
  id: 'getAiLanding',
  tag: 'AI',
  path: '/ai-landing',
  summary: 'Landing pages of AI assistants',
  description: `Visits that assistants sent (the market calls them clicks), by operator, by page and over time. A request is attributed to an assistant if its referring host, \`utm_source\`, \`ref\` or \`source\` names one; \`detection\` lists the hosts and values. ${visitRule} If the address is unknown or no longer stored, and the visit is counted from single requests, the user agent alone identifies the client. \`error_pages\` lists pages that answered such visitors with an error: the assistant has a wrong link, or the page is gone.

An app that sends no referrer and no parameter can not be distinguished from direct traffic. Google's AI answers have no referrer of their own: they count as search.

Logs contain no sessions, so the next steps of visitors are read from the single requests of their addresses. A visit bounced if its address opened no other page (html and the like, served) in the following half hour. This read takes longer: until it is finished, \`data_buffering\` is true and its figures are null. Filters and \`segment\` select the visits; the next page may be outside of them. With a filter, all figures may need the single requests and be null until these are read. Visits of the last half hour may still get a next page.`,
  window: { defaultHours: 720 },
  parameters: z.object({
    operator: z.string().min(1).max(200).optional().openapi({
      description:
        'Only visits sent by assistants of this operator, ignoring case. An operator without a known assistant is refused.',
      example: 'OpenAI',
    }),
    limit: clampedParameter({ min: 1, max: 500, default: 200, description: 'Pages in each list.' }),
  }),
  segment: true,
  answer: aiLanding,
  input: ({ limit, operator }, { services }): AiLandingInput => ({
    limit,
    operator: knownOperator(operator, services.aiDetection.operators),
    detection: services.aiDetection,
  }),
});

/** @throws PublicError invalid_request */
function knownOperator(given: string | undefined, operators: readonly string[]): string | undefined {
  if (given === undefined || operators.some((name) => name.toLowerCase() === given.toLowerCase()))
    return given;
  throw new PublicError(
    'invalid_request',
    `operator: expected one of ${operators.join(', ')}, got "${shortened(given)}"`,
  );
}
