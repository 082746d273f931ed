import { versionedAvro } from '../../schemas/versioned-avro.js';
import type { Actor, Decision } from './event.js';

/**
 * A record of `control.events`. The envelope is Avro, as in every topic; an event's data is JSON in it. Kinds of events
 * are added often. A union of records would change the schema each time, and a replica could not even skip an unknown
 * kind. The zod schema of its kind validates the data.
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
 * All decisions share the topic's one partition. The key identifies the affected object. It omits the rest of an id
 * after the first slash, which may name a person.
 */
export function keyOf({ events }: Decision): string {
  return events[0]!.aggregateId.split('/', 1)[0]!;
}

/** @throws Error that describes the malformed bytes: a reader must not skip an unreadable decision. */
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
