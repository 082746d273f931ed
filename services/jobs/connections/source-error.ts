/**
 * Why a source did not answer. `refused`: the credential or the property is at fault, so that somebody has to look; `limited`: it takes no more
 * calls for now; `unavailable`: it is away.
 */
export class SourceError extends Error {
  readonly reason: 'refused' | 'limited' | 'unavailable';

  constructor(reason: SourceError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}
