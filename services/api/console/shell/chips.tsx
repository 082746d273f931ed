import { filterNames, requestFilterNames, useAddress } from '../address.js';
import { logText } from '../format.js';
import { countriesText, filterText, VERIFIED_TEXT } from '../parts/filter-text.js';

interface Shown {
  readonly key: string;
  readonly text: string;
  readonly remove: () => void;
}

/** Everything of the address that leaves requests out, each removable by itself. */
export function Chips() {
  const { go } = useAddress();
  const shown = useShown();
  if (shown.length === 0) return null;
  const clear = () => go({ filters: {}, requestFilters: {}, countries: null, verified: false });
  return (
    <ul class="chips" id="filters" aria-label="Filters">
      {shown.map(({ key, text, remove }) => (
        <li key={key}>
          <button type="button" class="chip" onClick={remove} aria-label={`Remove the filter ${text}`}>
            {logText(text)} <span aria-hidden="true">×</span>
          </button>
        </li>
      ))}
      <li>
        <button type="button" class="tool" onClick={clear}>
          clear all
        </button>
      </li>
    </ul>
  );
}

function useShown(): Shown[] {
  const { address, go, toggleFilter } = useAddress();
  const { filters, requestFilters, countries, verified } = address;
  const common = filterNames.flatMap((name): Shown[] => {
    const value = filters[name];
    if (value === undefined) return [];
    return [{ key: name, text: filterText(name, value), remove: () => toggleFilter(name, value) }];
  });
  const ofRequests = requestFilterNames.flatMap((name): Shown[] => {
    const { [name]: value, ...others } = requestFilters;
    if (value === undefined) return [];
    return [{ key: name, text: filterText(name, value), remove: () => go({ requestFilters: others }) }];
  });
  return [
    ...common,
    ...ofRequests,
    ...(countries === null
      ? []
      : [
          {
            key: 'countries',
            text: countriesText(countries),
            remove: () => go({ countries: null }),
          },
        ]),
    ...(verified ? [{ key: 'verified', text: VERIFIED_TEXT, remove: () => go({ verified: false }) }] : []),
  ];
}
