import { readFileSync } from 'node:fs';

/** The blocks of code in docs/clients.md, which the tests run. */

const guide = readFileSync('docs/clients.md', 'utf8');

/** @throws Error if the section does not have exactly one such block that contains the words. */
export function blockOf(section: string, language: string, words = ''): string {
  const [, text = ''] = guide.split(`\n## ${section}\n`);
  const blocks = [...(text.split('\n## ')[0] ?? '').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, name, block]) => name === language && block!.includes(words))
    .map(([, , block]) => block!);
  if (blocks.length !== 1) throw new Error(`${blocks.length} blocks of ${language} in ${section}`);
  return blocks[0]!;
}

/** The same with the address of a running instance. */
export const blockFor = (url: string, ...block: Parameters<typeof blockOf>) =>
  blockOf(...block).replaceAll('https://loglane.example', url);
