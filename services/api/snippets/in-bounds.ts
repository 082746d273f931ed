/** Joins texts up to a maximum number of characters each. @throws Error if one part is too long. */
export function joinWithin(
  parts: readonly string[],
  { separator, around, most }: { separator: string; around: readonly [string, string]; most: number },
): string[] {
  const [before, after] = around;
  const room = most - before.length - after.length;
  const groups: string[][] = [];
  let length = 0;
  for (const part of parts) {
    if (part.length > room) throw new Error(`one part has ${part.length} characters, and ${room} fit`);
    const group = groups.at(-1);
    const longer = length + separator.length + part.length;
    if (group !== undefined && longer <= room) {
      group.push(part);
      length = longer;
    } else {
      groups.push([part]);
      length = part.length;
    }
  }
  return groups.map((group) => `${before}${group.join(separator)}${after}`);
}

/** Characters of a name. With 16 bytes each as a regex, it fits into the limits of nginx and Apache. */
const MAX_NAME = 200;

/** The compared part of a name. Names come from requests, and a longer one would break the configuration. */
export const comparedPart = (name: string) => Array.from(name).slice(0, MAX_NAME).join('');
