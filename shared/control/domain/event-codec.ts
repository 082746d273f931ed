import { versionedAvro } from '../../schemas/versioned-avro.js';
import type { Actor, Decision } from './event.js';

/**
 * A record of `control.events` on the wire. The envelope is Avro like every topic's. An event's data is JSON inside it,
 * because kinds of events are added often: as a union of records each would change the schema, and a replica that does not
 * know the kind could not even step over it. The zod schema of its kind checks the data.
 */

interface Envelope {
  id: string;
  at: string;
  by: Actor;
  events: { aggregate: string; aggregate_id: string; version: number; type: string; data: string }[];
}

const codec = versionedAvro<Envelope>('control.events', 1);

export function encodeDecision({ id, at, by, events }: Decision): Buffer {
  return codec.encode({
    id,
    at,
    by,
    events: events.map(({ aggregateId, data, ...event }) => ({
      ...event,
      aggregate_id: aggregateId,
      data: JSON.stringify(data),
    })),
  });
}

/**
 * All decisions share the topic's one partition; the key says whom one concerns, and nothing that was marked or claimed: what
 * follows the first stroke of an id may name somebody.
 */
export function keyOf({ events }: Decision): string {
  return events[0]!.aggregateId.split('/', 1)[0]!;
}

/** @throws Error naming what is wrong with the bytes: a reader must not go on past a decision it can't read. */
export function decodeDecision(value: Buffer): Decision {
  const { id, at, by, events } = codec.decode(value);
  return {
    id,
    at,
    by,
    events: events.map((event) => ({
      aggregate: event.aggregate,
      aggregateId: event.aggregate_id,
      version: event.version,
      type: event.type,
      data: JSON.parse(event.data),
    })),
  };
}
