import { elasticsearch } from './elasticsearch.js';
import { firehose } from './firehose.js';
import { loki } from './loki.js';
import { openTelemetry } from './open-telemetry.js';
import type { Sender, SenderAnswer, SenderRequest } from './sender.js';
import { splunk } from './splunk.js';

const senders: readonly Sender[] = [firehose, elasticsearch, loki, openTelemetry, splunk];

/** The usual answers. */
const anySender: Sender = {
  name: 'any',
  matches: () => true,
  shapeAnswer: (answer: SenderAnswer) => answer,
};

/** The sender whose contract applies to a request. */
export function findSender(request: SenderRequest): Sender {
  return senders.find((sender) => sender.matches(request)) ?? anySender;
}
