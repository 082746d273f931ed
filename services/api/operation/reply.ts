/** Kinds of successful answers: the JSON of `answer`, or a redirect that the run makes with `redirectTo`. */
export type Reply =
  | { readonly body: 'json'; readonly status: 200 | 201 }
  | { readonly body: 'redirect'; readonly status: 302; readonly description: string };

const redirect = Symbol('redirect');

export interface RedirectReply {
  readonly [redirect]: true;
  readonly location: string;
}

/** @param location an absolute address. */
export function redirectTo(location: string): RedirectReply {
  return { [redirect]: true, location };
}

export function isRedirect(result: unknown): result is RedirectReply {
  return typeof result === 'object' && result !== null && redirect in result;
}
