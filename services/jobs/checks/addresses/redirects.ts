/** 301 and 308 make search engines transfer their data to the new address. */
export function isPermanent({ status }: { readonly status: number }): boolean {
  return status === 301 || status === 308;
}
