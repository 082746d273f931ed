import type { Readable } from 'node:stream';

/** Successes that are no JSON: a redirect, a file. What an operation announces, and what its run returns for them. */

/**
 * One way in which an operation answers a success. `redirect` and `file` are what its run makes with `redirectTo` and
 * `fileReply`; everything else that a run returns is the JSON of `answer`.
 */
export type Reply =
  | { readonly body: 'json'; readonly status: 200 | 201 }
  | { readonly body: 'redirect'; readonly status: 302; readonly description: string }
  | {
      readonly body: 'file';
      readonly status: 200;
      readonly contentType: string;
      readonly description: string;
    };

export const kind = Symbol('kind of reply');

export interface RedirectReply {
  readonly [kind]: 'redirect';
  readonly location: string;
}

/** A file as it is sent: opened only when its bytes are wanted, and closed when the caller goes. */
export interface FileReply {
  readonly [kind]: 'file';
  /** As the caller may save it; ASCII, without quotes. */
  readonly name: string;
  readonly open: () => Readable;
  /** null: not known before. */
  readonly bytes: number | null;
}

/** @param location an absolute address. */
export function redirectTo(location: string): RedirectReply {
  return { [kind]: 'redirect', location };
}

export function fileReply(file: Omit<FileReply, typeof kind>): FileReply {
  return { [kind]: 'file', ...file };
}

export function isReply(result: unknown): result is RedirectReply | FileReply {
  return typeof result === 'object' && result !== null && kind in result;
}
