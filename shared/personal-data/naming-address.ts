/**
 * A pattern, for RE2 and JavaScript alike, of texts that name an address: 192.0.2.1 does not stand in 192.0.2.11, and it
 * does in `ip:192.0.2.1`.
 * @param address plain, as `normaliseClientIp` gives it.
 */
export function namingAddress(address: string): string {
  const literal = address.replace(/\./g, '[.]');
  return address.includes(':')
    ? `(^|ip:|[^0-9a-fA-F:])${literal}($|[^0-9a-fA-F:])`
    : `(^|[^0-9.])${literal}($|[^0-9.]|[.]($|[^0-9]))`;
}

/** Whether a text names an address. */
export type NamesIt = (text: string) => boolean;

/** @param address plain, as `normaliseClientIp` gives it. @returns what tells of a text whether it names it. */
export function textsNaming(address: string): NamesIt {
  const pattern = new RegExp(namingAddress(address));
  return (text) => text.includes(address) && pattern.test(text);
}
