/** The state of an owned partition, for health and metrics. */
export interface PartitionStatus {
  /** False while it is being loaded, or where a stored row can not be read. */
  readonly isLoaded: boolean;
  readonly websites: number;
  /** Milliseconds since the epoch; null: not saved by this owner yet. */
  readonly savedAt: number | null;
  /** Beginning of the running work with the stores, milliseconds since the epoch; null: none runs. */
  readonly workingSince: number | null;
}
