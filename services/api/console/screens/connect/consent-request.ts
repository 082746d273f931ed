export type Scope = 'read' | 'read_write';

/** The answer of `GET /oauth/consent`. */
export interface ConsentRequest {
  readonly client_name: string;
  readonly destination: { readonly kind: 'website' | 'device'; readonly name: string };
  readonly organisation: string;
  readonly user: string | null;
  /** Rights that this person can give; empty: the request has a fault. */
  readonly scopes: readonly Scope[];
  readonly is_viewer: boolean;
  readonly problem: string | null;
}
