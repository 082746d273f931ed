import type { KafkaMessage } from 'kafkajs';

/** A message with fields that the types of kafkajs omit. */
export type FetchedMessage = KafkaMessage & {
  readonly isControlRecord?: boolean;
  /** From its batch. The epoch grows with each change of the partition's leader. */
  readonly batchContext?: { readonly partitionLeaderEpoch: number };
};
