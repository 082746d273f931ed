import type { Readable } from 'node:stream';
import type { Export } from '../../../shared/control/domain/model.js';

/** Makes the files of one kind of export. The request is in the record and has a fixed window, so an attempt can be repeated. */
export interface Maker {
  /** @throws ExportRefusedError if no further attempt can help; any other error is retried */
  make(asked: Export, deps: MakeDeps): Promise<MadeFiles>;
}

export interface MakeDeps {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Fires when the attempt is out of time, was cancelled, or belongs to another replica. */
  readonly signal: AbortSignal;
}

export interface MadeFiles {
  /** The number of rows of the file, or of its other units. */
  readonly rows: number;
  /** The requested file. */
  readonly file: MadeFile;
  /** Makes further files after the main file was stored, such as a manifest about it. */
  beside(stored: { readonly bytes: number; readonly sha256: string }): readonly MadeFile[];
}

export interface MadeFile {
  /** The last part of its key, and its name for downloads. */
  readonly name: string;
  readonly contentType: string;
  /** To be read once. */
  readonly bytes: Readable;
}

/** No attempt can make the file. The message is for the customer. */
export class ExportRefusedError extends Error {}
