import { bulkAction } from './bulk-action.js';
import { containerRuntime } from './container-runtime.js';
import type { LineEnvelope, RecordEnvelope } from './envelope.js';
import { firehose } from './firehose.js';
import { logMessage } from './log-message.js';
import { lokiPush } from './loki-push.js';
import { namedList } from './named-list.js';
import { namedRecord } from './named-record.js';
import { openTelemetry } from './open-telemetry.js';
import { pubSub } from './pub-sub.js';
import { splunkEvent } from './splunk-event.js';
import { syslog } from './syslog.js';

/** Every envelope of a JSON record, in the order in which they are tried. */
export const recordEnvelopes: readonly RecordEnvelope[] = [
  firehose,
  pubSub,
  bulkAction,
  namedList,
  splunkEvent,
  namedRecord,
  lokiPush,
  openTelemetry,
  logMessage,
];

/** Every prefix of a line. */
export const lineEnvelopes: readonly LineEnvelope[] = [syslog, containerRuntime];
