import protobuf from 'protobufjs/minimal.js';
import type { Tally } from '../outcomes/tally.js';
import type { Sender } from './sender.js';

/**
 * OTLP over HTTP with protobuf bodies: answers are protobuf too (OTLP 1.x "OTLP/HTTP Response"): ExportLogsServiceResponse,
 * or google.rpc.Status. For JSON bodies the usual answer is enough, because exporters ignore unknown names.
 */
export const openTelemetry: Sender = {
  name: 'open-telemetry',
  matches: ({ headers }) => isProtobuf(headers['content-type']),
  shapeAnswer({ status, headers, body }, _request, tally) {
    const message = status === 200 ? success(tally) : failure(status, (body as { detail?: unknown }).detail);
    return {
      status,
      headers: { ...headers, 'content-type': 'application/x-protobuf' },
      body: Buffer.from(message),
    };
  },
};

/** Whether a Content-Type is protobuf; its parameters do not count. */
export function isProtobuf(contentType: string | undefined): boolean {
  const type = (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase();
  return type === 'application/x-protobuf' || type === 'application/protobuf';
}

/** Empty if every record was taken; else the number of rejected records, and the reason of the first. */
function success(tally: Tally | null): Uint8Array {
  const writer = protobuf.Writer.create();
  if (tally === null || tally.rejected === 0) return writer.finish();
  writer.uint32(lengthDelimited(1)).fork();
  writer.uint32(1 << 3).int64(tally.rejected);
  writer.uint32(lengthDelimited(2)).string(tally.errors[0]?.reason ?? '');
  return writer.ldelim().finish();
}

/** @param detail becomes Status.message */
function failure(status: number, detail: unknown): Uint8Array {
  const writer = protobuf.Writer.create();
  writer.uint32(1 << 3).int32(codeOf.get(status) ?? 2);
  writer.uint32(lengthDelimited(2)).string(String(detail ?? ''));
  return writer.finish();
}

/** google.rpc.Code. */
const codeOf: ReadonlyMap<number, number> = new Map([
  [400, 3],
  [401, 16],
  [408, 4],
  [413, 8],
  [415, 3],
  [503, 14],
  [500, 13],
]);

function lengthDelimited(field: number): number {
  return (field << 3) | 2;
}
