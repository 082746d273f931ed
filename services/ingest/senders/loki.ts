import { isProtobuf } from './open-telemetry.js';
import type { Sender } from './sender.js';

/** Shippers that push to Loki in JSON: every 2xx is a success, and 5xx is sent again. */
export const loki: Sender = {
  name: 'loki',
  matches: ({ path }) => path === LOKI_PATH,
  // One object is a whole batch: Vector's has at most 1 MB of lines, before they are escaped.
  longestRecord: 4_000_000,
  // Its protobuf may by chance be valid for another message.
  refusal: ({ headers }) => (isProtobuf(headers['content-type']) ? noProtobuf : null),
  shapeAnswer: (answer) => answer,
};

/** The path of Loki's push API. */
export const LOKI_PATH = '/loki/api/v1/push';

const noProtobuf = 'Loki’s protobuf is not read; let the sender push JSON (docs/log-format.md).';
