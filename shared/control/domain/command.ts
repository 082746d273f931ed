import type { z } from 'zod';
import type { ErrorCode } from '../../errors.js';
import type { ControlEvent } from './event.js';
import type { ControlState } from './state.js';

/** Why a command is not carried out; fit for the caller's eyes. */
export interface Refusal {
  readonly code: Extract<ErrorCode, 'invalid_request' | 'not_found' | 'conflict' | 'rate_limited'>;
  readonly detail: string;
  /** For programs: which of several conflicts it is. */
  readonly reason?: string;
  /** With `rate_limited`: how many there are, and from when there are more (ISO 8601). */
  readonly limit?: number;
  readonly resetAt?: string;
}

/**
 * Random values, generated once per command and reused when it is decided again: all else follows from state and command.
 */
export interface GeneratedIds {
  /** For the id of what the command creates. */
  readonly id: string;
  /** For the id of a key that comes with it. */
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
  /** Empty where the state is already as wished. */
  readonly events: readonly ControlEvent[];
  /** What the caller gets, read from the state after the events were folded. */
  answer(state: ControlState): Answer;
}

export type DecisionResult<Answer> = Acceptance<Answer> | { readonly refusal: Refusal };

/** A kind of command: what it asks for and how it is decided. Pure. */
export interface CommandKind<Schema extends z.ZodType, Answer> {
  readonly schema: Schema;
  decide(state: ControlState, input: z.output<Schema>, context: DecisionContext): DecisionResult<Answer>;
}

/** Gives the compiler the types of one kind; returns it unchanged. */
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
