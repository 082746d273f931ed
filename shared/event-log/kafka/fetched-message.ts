import type { KafkaMessage } from 'kafkajs';

/** What the types of kafkajs leave out of a message. */
export type FetchedMessage = KafkaMessage & {
  readonly isControlRecord?: boolean;
  /** Of the batch that it came in. The epoch grows with each change of the partition's leader. */
  readonly batchContext?: { readonly partitionLeaderEpoch: number };
};
