/** Runs the scripts of pages. */
export interface PageRenderer {
  /**
   * The HTML of the page after its scripts have run, with the size limit of a fetched page; null: it could not be rendered in time.
   * @param html as it was fetched. @throws the signal's reason
   */
  render(url: string, html: string, signal: AbortSignal): Promise<string | null>;
  /** The numbers of rendered and failed pages. */
  counts(): { readonly rendered: number; readonly failed: number };
  /** Ends the browser. It may be called repeatedly. */
  close(): Promise<void>;
}

/** A response to a request of a page in the browser, filtered for it. */
export interface PageResource {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The only network access of the browser. @returns null: the request fails. @throws the signal's reason */
export type LoadResource = (url: string, signal: AbortSignal) => Promise<PageResource | null>;
