/** The setup guides of docs/sources, each a file of its own that is loaded when it is chosen. */
const texts = import.meta.glob<string>(
  ['../../../../../docs/sources/*.md', '!../../../../../docs/sources/README.md'],
  {
    query: '?raw',
    import: 'default',
  },
);

const loaders = new Map(
  Object.entries(texts).map(([path, load]) => [path.slice(path.lastIndexOf('/') + 1, -3), load] as const),
);

export const guideNames: readonly string[] = [...loaders.keys()];

export async function loadGuide(name: string): Promise<string> {
  return (await loaders.get(name)?.()) ?? '';
}
