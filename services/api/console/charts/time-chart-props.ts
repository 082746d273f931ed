export interface Series {
  readonly name: string;
  /** A custom property of CSS: `--people`. */
  readonly colour: string;
  readonly values: ReadonlyArray<number | null>;
  readonly isDashed?: boolean;
}

export interface Mark {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly label: string;
  readonly tone: 'incident' | 'event';
}

export interface TimeChartProps {
  readonly label: string;
  /** Starts of the buckets, in milliseconds since the epoch. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly isStacked?: boolean;
  /** Places in `series` of the bounds of a band, which is filled. Not with stacked areas. */
  readonly band?: { readonly upper: number; readonly lower: number };
  readonly marks?: readonly Mark[];
  readonly format?: (value: number | null) => string;
  /** A drag over the chart: the chosen window, in milliseconds. Default: it becomes the window of the screen. */
  readonly onZoom?: (from: number, to: number) => void;
}
