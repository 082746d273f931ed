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
  const earlier = Object.entries(row).flatMap(([name, value]) =>
    name.startsWith('previous_') ? [[name.slice('previous_'.length), value] as const] : [],
  );
  return { ...row, ...Object.fromEntries(earlier) } as PreviousOf<Row>;
}
