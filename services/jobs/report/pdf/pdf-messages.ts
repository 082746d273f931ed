/** The message to the process that writes a PDF. */
export interface PdfAsked {
  /** JSON of a document (document.ts). */
  readonly report: string;
  /** Seconds since the epoch; the creation time in the file. */
  readonly madeAt: number;
}

export type PdfMade = { readonly pdf: Uint8Array } | { readonly problem: string };
