/** The list cut into lists of `size`, the last one shorter. */
export function inPieces<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}

/** The list cut into lists whose texts have at most so many characters together; a longer text stands alone. */
export function inPiecesOfLength(texts: readonly string[], characters: number): string[][] {
  const pieces: string[][] = [];
  let room = 0;
  for (const text of texts) {
    if (pieces.length === 0 || text.length > room) {
      pieces.push([]);
      room = characters;
    }
    pieces.at(-1)!.push(text);
    room -= text.length;
  }
  return pieces;
}
