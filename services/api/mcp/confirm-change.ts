import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { visibleLine } from '../../../shared/visible-text.js';
import { shortened } from './shortened.js';
import { ToolRefusal } from './tool-refusal.js';

/**
 * Clients of the protocol 2026-07-28 name their capabilities in each request. One with forms of elicitation shows the question to its
 * person and repeats the call with the answer. A server without state can't ask the clients of 2025: they confirm calls themselves.
 */

const QUESTION = 'confirm';
const MOST_CHARACTERS = 1_000;

/**
 * @param change written by a model
 * @returns the question for the person; null: confirmed, or the client can't ask
 * @throws ToolRefusal if the person said no
 */
export function confirmChange(
  { envelope, inputResponses }: Pick<ServerContext['mcpReq'], 'envelope' | 'inputResponses'>,
  change: string,
): InputRequiredResult | null {
  if (!canAsk(envelope)) return null;
  const answer = inputResponse(inputResponses, QUESTION);
  if (answer.kind === 'elicit') {
    if (answer.action === 'accept') return null;
    throw new ToolRefusal(
      'The person did not allow this change. Nothing was changed; do not repeat the call.',
    );
  }
  const message = `Allow this change in Loglane? ${shortened(visibleLine(change), MOST_CHARACTERS)}`;
  const requestedSchema = { type: 'object' as const, properties: {} };
  return inputRequired({
    inputRequests: { [QUESTION]: inputRequired.elicit({ mode: 'form', message, requestedSchema }) },
  });
}

/** Elicitation without a named mode has forms. */
function canAsk(envelope: object | undefined): boolean {
  const { elicitation } = new Map(Object.entries(envelope ?? {})).get(CLIENT_CAPABILITIES_META_KEY) ?? {};
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  return 'form' in elicitation || !('url' in elicitation);
}
