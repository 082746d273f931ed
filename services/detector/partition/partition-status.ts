/** The state of an owned partition, for health and metrics. */
export interface PartitionStatus {
  /** False while the partition is being loaded, or if a stored row cannot be read. */
  readonly isLoaded: boolean;
  readonly websites: number;
  /** Milliseconds since the epoch; null: this owner has not saved it yet. */
  readonly savedAt: number | null;
  /** Start of the running work with the stores, milliseconds since the epoch; null: none runs. */
  readonly workingSince: number | null;
}
