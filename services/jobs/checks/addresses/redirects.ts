/** 301 and 308 tell search engines to move what they know to the new address. */
export function isPermanent({ status }: { readonly status: number }): boolean {
  return status === 301 || status === 308;
}
