/** Titles of the intents of AI crawlers. */
const titles: ReadonlyMap<string, string> = new Map([
  ['training', 'training'],
  ['search', 'search'],
  ['fetcher', 'for a person'],
  ['unknown', 'unknown'],
]);

export function intentTitle(intent: string): string {
  return titles.get(intent) ?? 'unknown';
}

export function Intent({ of: intent }: { readonly of: string }) {
  return <span class={`tag ${titles.has(intent) ? intent : ''}`}>{intentTitle(intent)}</span>;
}
