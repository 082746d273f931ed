declare module 'virtual:world-shapes' {
  /** Country codes (ISO 3166-1 alpha-2) with the outline of the country as an SVG path, in a box of 720 × 360. */
  export const shapes: ReadonlyArray<readonly [code: string, path: string]>;
}
