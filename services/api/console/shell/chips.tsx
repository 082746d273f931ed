import { type FilterName, filterNames, useAddress } from '../address.js';
import { logText } from '../format.js';

/** The filters of the address, each removable by itself. */
export function Chips() {
  const { address, go, toggleFilter } = useAddress();
  const set = filterNames.flatMap((name) => {
    const value = address.filters[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  if (set.length === 0 && address.countries === null) return null;
  return (
    <ul class="chips" id="filters" aria-label="Filters">
      {set.map(([name, value]) => (
        <Chip key={name} text={`${label(name)}: ${value}`} onRemove={() => toggleFilter(name, value)} />
      ))}
      {address.countries === null ? null : (
        <Chip text={`countries: ${address.countries}`} onRemove={() => go({ countries: null })} />
      )}
      <li>
        <button type="button" class="tool" onClick={() => go({ filters: {}, countries: null })}>
          clear all
        </button>
      </li>
    </ul>
  );
}

function Chip({ text, onRemove }: { readonly text: string; readonly onRemove: () => void }) {
  return (
    <li>
      <button type="button" class="chip" onClick={onRemove} aria-label={`Remove the filter ${text}`}>
        {logText(text)} <span aria-hidden="true">×</span>
      </button>
    </li>
  );
}

function label(name: FilterName): string {
  return name.replaceAll('_', ' ');
}
