import { readFileSync } from 'node:fs';
import avsc from 'avsc';
import type { Actor, Decision } from './event.js';

/**
 * A record of `control.events` on the wire: one byte naming the schema's version, then Avro. The envelope is
 * Avro like every topic's. An event's data is JSON inside it, because kinds of events come with nearly every
 * release: as a union of records each would be a new schema, and a replica of the release before could not
 * even step over it. The data's own shape is held by the zod schema of its kind.
 */

const VERSION = 1;
const schema = JSON.parse(
  readFileSync(new URL('../schemas/control.events.v1.avsc', import.meta.url), 'utf8'),
);
const type = avsc.Type.forSchema(schema);

interface Envelope {
  id: string;
  at: string;
  by: Actor;
  events: { aggregate: string; aggregate_id: string; version: number; type: string; data: string }[];
}

export function encodeDecision({ id, at, by, events }: Decision): Buffer {
  const envelope: Envelope = {
    id,
    at,
    by,
    events: events.map(({ aggregateId, data, ...event }) => ({
      ...event,
      aggregate_id: aggregateId,
      data: JSON.stringify(data),
    })),
  };
  return Buffer.concat([Buffer.of(VERSION), type.toBuffer(envelope)]);
}

/** @throws Error naming what is wrong with the bytes: a reader must not go on past a decision it can't read. */
export function decodeDecision(value: Buffer): Decision {
  if (value[0] !== VERSION) throw new Error(`control.events: unknown schema version ${value[0]}`);
  const { id, at, by, events } = type.fromBuffer(value.subarray(1)) as Envelope;
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
