import { useAddress } from '../address.js';

export interface Tab {
  /** In the address as `tab`; the first tab is the default and is left out. */
  readonly name: string;
  readonly title: string;
}

/** @returns the name of the tab in the address, or the first one. */
export function useTab(tabs: readonly Tab[]): string {
  const { address } = useAddress();
  return (tabs.find(({ name }) => name === address.rest.tab) ?? tabs[0])?.name ?? '';
}

/** Parts of a screen, as links: a tab is in the address, and drops what only the tab before knew. */
export function Tabs({ tabs, label }: { readonly tabs: readonly Tab[]; readonly label: string }) {
  const { link } = useAddress();
  const current = useTab(tabs);
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ name, title }, place) => (
        <a
          key={name}
          href={link({ rest: place === 0 ? {} : { tab: name } })}
          aria-current={name === current ? 'true' : undefined}
        >
          {title}
        </a>
      ))}
    </nav>
  );
}
