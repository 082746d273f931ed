/** What the process that writes a PDF is told. */
export interface PdfAsked {
  /** JSON of a document (document.ts). */
  readonly report: string;
  /** Seconds since the epoch; stands in the file as its time. */
  readonly madeAt: number;
}

export type PdfMade = { readonly pdf: Uint8Array } | { readonly problem: string };
