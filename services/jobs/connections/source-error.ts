/**
 * Why a source did not respond. `refused`: the credential or the property is wrong, so a person must act. `limited`: a rate limit. `unavailable`: an
 * outage.
 */
export class SourceError extends Error {
  readonly reason: 'refused' | 'limited' | 'unavailable';

  constructor(reason: SourceError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}
