import { readFileSync } from 'node:fs';

/**
 * The code blocks of a guide in `docs/sources`, in order, so that a test runs the same text as a user.
 * @param replaced placeholders of names and paths: each must be in the blocks
 * @throws Error if a block or a placeholder is missing
 */
export function guideBlocks(
  guide: string,
  language: string,
  count: number,
  replaced: readonly (readonly [from: string, to: string])[],
): string[] {
  const text = readFileSync(new URL(`../../docs/sources/${guide}.md`, import.meta.url), 'utf8');
  const blocks = text
    .split('\n```')
    .filter((part) => part.startsWith(`${language}\n`))
    .map((part) => part.slice(language.length + 1));
  if (blocks.length !== count) throw new Error(`${guide}.md has ${blocks.length} blocks of ${language}`);
  for (const [from] of replaced) {
    if (!blocks.some((block) => block.includes(from))) throw new Error(`${guide}.md does not have ${from}`);
  }
  return blocks.map((block) => replaced.reduce((made, [from, to]) => made.replaceAll(from, to), block));
}
