/** What files of exports are written in. */
export const fileFormats = ['csv', 'ndjson', 'parquet'] as const;
export type FileFormat = (typeof fileFormats)[number];
