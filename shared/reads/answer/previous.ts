type PreviousOf<Row> = Omit<Row, PreviousNames<Row>> & {
  [Name in keyof Row as Name extends `previous_${infer Plain}` ? Plain : never]: Row[Name];
};
type PreviousNames<Row> = {
  [Name in keyof Row]: `previous_${string & Name}` extends keyof Row
    ? Name
    : Name extends `previous_${string}`
      ? Name
      : never;
}[keyof Row];

const PREVIOUS = 'previous_';

/** A selected row with its figures of the previous window: `previous_<name>` replaces `<name>`, and other fields are unchanged. */
export function previousOf<Row extends object>(row: Row): PreviousOf<Row> {
  const earlier = { ...row };
  for (const key in row) {
    if (!key.startsWith(PREVIOUS)) continue;
    const plain = key.slice(PREVIOUS.length) as typeof key;
    earlier[plain] = row[key];
  }
  return earlier as unknown as PreviousOf<Row>;
}
