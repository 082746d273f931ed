import type { z } from 'zod';
import type { ErrorCode } from '../../errors.js';
import type { ControlEvent } from './event.js';
import type { ControlState } from './state.js';

/** Why a command is refused; may be shown to the caller. */
export interface Refusal {
  readonly code: Extract<ErrorCode, 'invalid_request' | 'not_found' | 'conflict' | 'rate_limited'>;
  readonly detail: string;
  /** Machine-readable: distinguishes several conflicts. */
  readonly reason?: string;
  /** With `rate_limited`: the limit, and when it resets (ISO 8601). */
  readonly limit?: number;
  readonly resetAt?: string;
}

/** Random values, generated once per command and reused on retries. Everything else follows from state and command. */
export interface GeneratedIds {
  /** Id of the created object. */
  readonly id: string;
  /** Id of a key that is created with it. */
  readonly keyId: string;
  /** The random part of a key's clear text. */
  readonly secret: string;
}

export interface DecisionContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly generated: GeneratedIds;
}

export interface Acceptance<Answer> {
  /** Empty if the state already matches. */
  readonly events: readonly ControlEvent[];
  /** The caller's result, read from the state after the events were folded. */
  answer(state: ControlState): Answer;
}

export type DecisionResult<Answer> = Acceptance<Answer> | { readonly refusal: Refusal };

/** A kind of command: its input and its decision. Pure. */
export interface CommandKind<Schema extends z.ZodType, Answer> {
  readonly schema: Schema;
  decide(state: ControlState, input: z.output<Schema>, context: DecisionContext): DecisionResult<Answer>;
}

/** Infers the types of one kind; returns it unchanged. */
export function commandKind<Schema extends z.ZodType, Answer>(
  kind: CommandKind<Schema, Answer>,
): CommandKind<Schema, Answer> {
  return kind;
}

export function refuse(
  code: Refusal['code'],
  detail: string,
  reason?: string,
): { readonly refusal: Refusal } {
  return { refusal: { code, detail, ...(reason === undefined ? {} : { reason }) } };
}
