/** What counts of a minute, of a bot and of an address tell alike of one request. */
export interface Outcome {
  readonly isNotFound: boolean;
  readonly isRejected: boolean;
  readonly isServerError: boolean;
  readonly isPage: boolean;
  readonly isProbe: boolean;
}
