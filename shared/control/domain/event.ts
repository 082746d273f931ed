import type { z } from 'zod';
import { type AggregateName, type ControlState, versionOf, type WritableState } from './state.js';

/** Who caused a change: the operator's command line, the system itself, or a key or user by id. */
export type Actor = 'admin' | 'system' | `api_key:${string}` | `user:${string}`;

/** One change of one aggregate. */
export interface ControlEvent {
  /** An {@link AggregateName}; one that only a newer release knows is possible. */
  readonly aggregate: string;
  readonly aggregateId: string;
  /**
   * The version of the aggregate that the event was decided on, plus 1; {@link NO_VERSION} where it stands alone.
   */
  readonly version: number;
  /** `website.added` */
  readonly type: string;
  readonly data: unknown;
}

/**
 * What one command led to, and one record of `control.events`: all of its events hold or none does, so a
 * website never stands without its claim on the domain. At most one event for each aggregate.
 */
export interface Decision {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly by: Actor;
  readonly events: readonly ControlEvent[];
}

/** A kind of event: what it carries and what it does to the state. One value each, beside its aggregate. */
export interface EventKind<Schema extends z.ZodType = z.ZodType> {
  readonly aggregate: AggregateName;
  readonly type: string;
  /** From the first tagged release on it evolves only by adding fields with defaults: every event ever written must stay readable. */
  readonly schema: Schema;
  evolve(state: WritableState, id: string, data: z.output<Schema>, at: string): void;
}

/** The event stands alone: nothing is ever decided on it, so the state keeps no version of it. A projection stores it. */
export const NO_VERSION = 0;

/** An event of a kind that stands alone. */
export function loneEvent<Schema extends z.ZodType>(
  { aggregate, type }: EventKind<Schema>,
  aggregateId: string,
  data: z.input<Schema>,
): ControlEvent {
  return { aggregate, aggregateId, version: NO_VERSION, type, data };
}

/** Gives the compiler the types of one kind; returns it unchanged. */
export function eventKind<Schema extends z.ZodType>(kind: EventKind<Schema>): EventKind<Schema> {
  return kind;
}

/** The event of this kind that would follow on the state. */
export function nextEvent<Schema extends z.ZodType>(
  state: ControlState,
  kind: EventKind<Schema>,
  aggregateId: string,
  data: z.input<Schema>,
): ControlEvent {
  const { aggregate, type } = kind;
  return { aggregate, aggregateId, version: versionOf(state, aggregate, aggregateId) + 1, type, data };
}
