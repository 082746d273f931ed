import { useAddress } from '../address.js';

export interface Tab {
  /** In the address; empty: the first tab, which the address leaves out. */
  readonly name: string;
  readonly title: string;
}

/** Parts of a screen. The open one is in the address, so that a link opens the same part. */
export function Tabs({ tabs, label }: { readonly tabs: readonly Tab[]; readonly label: string }) {
  const { address, link } = useAddress();
  const open = address.rest.tab ?? '';
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ name, title }) => (
        <a
          key={name}
          href={link({ rest: name === '' ? {} : { tab: name } })}
          aria-current={name === open ? 'page' : undefined}
        >
          {title}
        </a>
      ))}
    </nav>
  );
}
