import type { z } from 'zod';
import { type AggregateName, type ControlState, versionOf, type WritableState } from './state.js';

/** Cause of a change: the operator's command line, the system itself, or a key or user by id. */
export type Actor = 'admin' | 'system' | `api_key:${string}` | `user:${string}`;

/** One change of one aggregate. */
export interface ControlEvent {
  /** An {@link AggregateName}, or an unknown one of a newer release. */
  readonly aggregate: string;
  readonly aggregateId: string;
  /** The version of the aggregate on which the event was decided, plus 1; {@link NO_VERSION} for a standalone event. */
  readonly version: number;
  /** `website.added` */
  readonly type: string;
  readonly data: unknown;
}

/**
 * The result of one command, and one record of `control.events`. All of its events are valid or none, so a website
 * never exists without its claim on the domain. At most one event per aggregate.
 */
export interface Decision {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly by: Actor;
  readonly events: readonly ControlEvent[];
}

/** A kind of event: its data and its effect on the state. Each is defined with its aggregate. */
export interface EventKind<Schema extends z.ZodType = z.ZodType> {
  readonly aggregate: AggregateName;
  readonly type: string;
  /** From the first tagged release on it only gains fields with defaults: all written events must stay readable. */
  readonly schema: Schema;
  evolve(state: WritableState, id: string, data: z.output<Schema>, at: string): void;
}

/**
 * Version of a standalone event. No decision depends on it, so the state has no version of it. A projection stores it.
 */
export const NO_VERSION = 0;

/** A standalone event. */
export function loneEvent<Schema extends z.ZodType>(
  { aggregate, type }: EventKind<Schema>,
  aggregateId: string,
  data: z.input<Schema>,
): ControlEvent {
  return { aggregate, aggregateId, version: NO_VERSION, type, data };
}

/** Infers the types of one kind; returns it unchanged. */
export function eventKind<Schema extends z.ZodType>(kind: EventKind<Schema>): EventKind<Schema> {
  return kind;
}

/** The next event of this kind on the state. */
export function nextEvent<Schema extends z.ZodType>(
  state: ControlState,
  kind: EventKind<Schema>,
  aggregateId: string,
  data: z.input<Schema>,
): ControlEvent {
  const { aggregate, type } = kind;
  return { aggregate, aggregateId, version: versionOf(state, aggregate, aggregateId) + 1, type, data };
}
