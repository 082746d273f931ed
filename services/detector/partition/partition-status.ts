/** What an owner says of its partition, for health and metrics. */
export interface PartitionStatus {
  /** Not: it is being loaded, or what is stored of it can not be read. */
  readonly isLoaded: boolean;
  readonly websites: number;
  /** Milliseconds since the epoch; null: none since it is this owner's. */
  readonly savedAt: number | null;
  /** When the work with the stores that runs was begun, milliseconds since the epoch; null: none runs. */
  readonly workingSince: number | null;
}
