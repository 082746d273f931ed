import type { Readable } from 'node:stream';
import type { Export } from '../../../shared/control/domain/model.js';

/** Makes the files of one kind of export. What it is asked for is in the record; the window is fixed there, so that an attempt can be repeated. */
export interface Maker {
  /** @throws ExportRefusedError where no further attempt can help; anything else is tried again. */
  make(asked: Export, deps: MakeDeps): Promise<MadeFiles>;
}

export interface MakeDeps {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Fires when the attempt has had its time, was cancelled, or is another replica's. */
  readonly signal: AbortSignal;
}

export interface MadeFiles {
  /** Rows of the file, or whatever it is counted by. */
  readonly rows: number;
  /** What the customer asked for. */
  readonly file: MadeFile;
  /** What lies beside it, made when the file is stored: it may tell of it. */
  beside(stored: { readonly bytes: number; readonly sha256: string }): readonly MadeFile[];
}

export interface MadeFile {
  /** The last part of its key, and as it is saved. */
  readonly name: string;
  readonly contentType: string;
  /** To be read once. */
  readonly bytes: Readable;
}

/** The file can't be made, however often it is tried. The message is for the customer. */
export class ExportRefusedError extends Error {}
