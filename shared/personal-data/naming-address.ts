/**
 * A pattern (RE2 and JavaScript) for texts that name an address: 192.0.2.1 is not in 192.0.2.11, but it is in
 * `ip:192.0.2.1`.
 * @param address as `normaliseClientIp` returns it.
 */
export function namingAddress(address: string): string {
  const literal = address.replace(/\./g, '[.]');
  return address.includes(':')
    ? `(^|ip:|[^0-9a-fA-F:])${literal}($|[^0-9a-fA-F:])`
    : `(^|[^0-9.])${literal}($|[^0-9.]|[.]($|[^0-9]))`;
}

/** Whether a text names an address. */
export type NamesIt = (text: string) => boolean;

/** @param address as `normaliseClientIp` returns it. @returns a function that checks whether a text names it. */
export function textsNaming(address: string): NamesIt {
  const pattern = new RegExp(namingAddress(address));
  return (text) => text.includes(address) && pattern.test(text);
}
