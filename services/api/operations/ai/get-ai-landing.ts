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
  summary: 'Pages that AI assistants send people to',
  description: `Visits that assistants sent (what the market calls clicks), by operator, by page and over time. A request is an assistant's where its referring host, \`utm_source\`, \`ref\` or \`source\` names one; \`detection\` lists the hosts and values. ${visitRule} Where an address is not known, or not kept any longer and counted from single requests, a client is a user agent alone. \`error_pages\` lists what visitors were sent to and got an error from: a link that an assistant has wrong, or a page that is gone.

An app that names itself nowhere is not told apart from direct traffic. Google's AI answers carry no referrer of their own: they count as search.

What people did next is read from the single requests of their addresses, since logs know no sessions: a visit bounced where its address opened no other page (html and the like, served) in the half hour after it. That takes longer than the rest: while it is being read \`data_buffering\` is true and those figures are null. Filters and \`segment\` choose the visits; what was opened next counts wherever it is. With a filter everything may need the single requests, and be null until they are read. A visit of the last half hour may still be followed by a page.`,
  window: { defaultHours: 720 },
  parameters: z.object({
    operator: z.string().min(1).max(200).optional().openapi({
      description:
        'Only visits that assistants of this operator sent, ignoring case. An operator without a recognised assistant is refused.',
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
