import protobuf from 'protobufjs/minimal.js';

/** An OTLP upload of logs in protobuf, with one resource and one scope for all records. */

export interface OtlpRecord {
  readonly timeUnixNano?: bigint;
  readonly body?: string | Uint8Array;
  readonly attributes?: readonly (readonly [name: string, value: string | number])[];
}

const bytes = (field: number) => (field << 3) | 2;

/** ExportLogsServiceRequest. */
export function encodeOtlp(records: readonly OtlpRecord[]): Buffer {
  const writer = protobuf.Writer.create();
  writer.uint32(bytes(1)).fork();
  // ResourceLogs.resource, and a field that this program does not know.
  writer.uint32(bytes(1)).fork();
  addKeyValue(writer.uint32(bytes(1)), ['service.name', 'shop']);
  writer.ldelim();
  writer.uint32(bytes(3)).string('https://opentelemetry.io/schemas/1.27.0');
  writer.uint32(bytes(2)).fork();
  for (const record of records) addRecord(writer.uint32(bytes(2)), record);
  writer.ldelim();
  return Buffer.from(writer.ldelim().finish());
}

function addRecord(writer: protobuf.Writer, { timeUnixNano, body, attributes = [] }: OtlpRecord): void {
  writer.fork();
  if (timeUnixNano !== undefined) {
    writer.uint32((1 << 3) | 1).fixed64(String(timeUnixNano));
  }
  writer.uint32(2 << 3).int32(9);
  if (body !== undefined) addAnyValue(writer.uint32(bytes(5)), body);
  for (const pair of attributes) addKeyValue(writer.uint32(bytes(6)), pair);
  writer.ldelim();
}

function addKeyValue(writer: protobuf.Writer, [name, value]: readonly [string, string | number]): void {
  writer.fork().uint32(bytes(1)).string(name);
  addAnyValue(writer.uint32(bytes(2)), value);
  writer.ldelim();
}

function addAnyValue(writer: protobuf.Writer, value: string | number | Uint8Array): void {
  writer.fork();
  if (value instanceof Uint8Array) writer.uint32(bytes(7)).bytes(value);
  else if (typeof value === 'string') writer.uint32(bytes(1)).string(value);
  else writer.uint32(3 << 3).int64(value);
  writer.ldelim();
}
