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

/** A selected row with its figures of the previous window: `previous_<name>` replaces `<name>`, and other fields are unchanged. */
export function previousOf<Row extends object>(row: Row): PreviousOf<Row> {
  const figures = row as Readonly<Record<string, unknown>>;
  const earlier = { ...figures };
  for (const name in figures)
    if (name.startsWith('previous_')) earlier[name.slice('previous_'.length)] = figures[name];
  return earlier as PreviousOf<Row>;
}
