import { readFileSync } from 'node:fs';
import avsc from 'avsc';
import type { TopicName } from '../event-log/topics.js';

/** The Avro type of a topic's records, from the schema in this folder. */
export function readAvroType(topic: TopicName, version: number): avsc.Type {
  const schema = readFileSync(new URL(`./${topic}.v${version}.avsc`, import.meta.url), 'utf8');
  return avsc.Type.forSchema(JSON.parse(schema));
}

export interface VersionedAvro<Value> {
  encode(value: Value): Buffer;
  /** @throws Error that describes the malformed bytes. */
  decode(bytes: Buffer): Value;
}

/** Encoding of a topic's records: one byte with the schema's id, then Avro. */
export function versionedAvro<Value>(topic: TopicName, version: number): VersionedAvro<Value> {
  const type = readAvroType(topic, version);
  return {
    encode: (value) => Buffer.concat([Buffer.of(version), type.toBuffer(value)]),
    decode(bytes) {
      if (bytes[0] !== version) throw new Error(`${topic}: unknown schema id ${bytes[0]}`);
      return type.fromBuffer(bytes.subarray(1)) as Value;
    },
  };
}
