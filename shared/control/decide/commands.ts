import type { z } from 'zod';
import { type CommandKind, type DecisionContext, type DecisionResult, refuse } from '../domain/command.js';
import { snakeCase } from '../domain/snake-case.js';
import type { ControlState } from '../domain/state.js';
import { commandKinds } from './kinds.js';

export type CommandName = keyof typeof commandKinds;

/** `{ type: 'setPlan', organisationId, planId }`: the fields of the kind's schema. */
export type Command<Name extends CommandName = CommandName> = {
  [Each in Name]: { readonly type: Each } & z.input<(typeof commandKinds)[Each]['schema']>;
}[Name];

export type AnswerTo<Name extends CommandName> =
  (typeof commandKinds)[Name] extends CommandKind<z.ZodType, infer Answer> ? Answer : never;

/** Validates the command and decides it on this state. Pure. */
export function decide<Name extends CommandName>(
  state: ControlState,
  command: Command<Name>,
  context: DecisionContext,
): DecisionResult<AnswerTo<Name>> {
  const { type, ...fields } = command;
  // The registry links name, fields and answer; the compiler cannot follow a generic key through it.
  const kind = commandKinds[type as Name] as unknown as CommandKind<z.ZodType, AnswerTo<Name>> | undefined;
  if (kind === undefined || !Object.hasOwn(commandKinds, type))
    return refuse('invalid_request', `type: there is no command "${type}"`);
  const input = kind.schema.safeParse(fields);
  if (!input.success) return refuse('invalid_request', describe(input.error));
  return kind.decide(state, input.data, context);
}

function describe(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length === 0 ? message : `${snakeCase(path.join('.'))}: ${message}`))
    .join('; ');
}
