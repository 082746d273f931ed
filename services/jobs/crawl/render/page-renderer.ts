/** Runs the scripts of pages. */
export interface PageRenderer {
  /**
   * The HTML of the page after its scripts have run, bounded as a fetched one is; null: it could not be rendered in its time.
   * @param html as it was fetched. @throws what the signal was aborted with
   */
  render(url: string, html: string, signal: AbortSignal): Promise<string | null>;
  /** Pages that were rendered, and those that could not be. */
  counts(): { readonly rendered: number; readonly failed: number };
  /** Ends the browser. It may be called again. */
  close(): Promise<void>;
}

/** What a page in the browser asks for, as it is allowed to see it. */
export interface PageResource {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The one way out of the browser. @returns null: the page gets no answer. @throws what the signal was aborted with */
export type LoadResource = (url: string, signal: AbortSignal) => Promise<PageResource | null>;
