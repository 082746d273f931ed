/** A day of a source, as stored by one read of the source. The totals of a day, which are written last, name the read that counts. */
export interface ReadDay {
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly version: number;
}

/** The rows of the reads that count. @param days their last reads */
export function ofLastReads<Row extends ReadDay>(rows: readonly Row[], days: readonly ReadDay[]): Row[] {
  const versions = new Map(days.map(({ day, version }) => [day, version]));
  return rows.filter(({ day, version }) => versions.get(day) === version);
}
