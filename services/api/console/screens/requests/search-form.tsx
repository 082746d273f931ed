import { filterNames, requestFilterNames, useAddress } from '../../address.js';

/** Fields of the form by the address's names. */
type Name = (typeof filterNames)[number] | (typeof requestFilterNames)[number] | 'countries';

const texts: readonly { readonly name: Name; readonly title: string; readonly hint: string }[] = [
  { name: 'path', title: 'Path contains', hint: '/product/' },
  { name: 'client_ip', title: 'Address', hint: '66.249.66.1' },
  { name: 'bot', title: 'Bot', hint: 'Googlebot' },
  { name: 'user_agent', title: 'User agent contains', hint: 'bingbot/2.0' },
  { name: 'status', title: 'Status', hint: '404' },
  { name: 'host', title: 'Host', hint: 'www.example.com' },
  { name: 'file_type', title: 'File types', hint: 'html,php' },
  { name: 'countries', title: 'Countries', hint: 'DE,AT' },
  { name: 'method', title: 'Method', hint: 'POST' },
];
const choices: readonly {
  readonly name: Name;
  readonly title: string;
  readonly options: readonly (readonly [value: string, text: string])[];
}[] = [
  {
    name: 'is_bot',
    title: 'Who',
    options: [
      ['', 'everyone'],
      ['false', 'people'],
      ['true', 'bots'],
    ],
  },
  {
    name: 'status_category',
    title: 'Answered',
    options: [
      ['', 'with any status'],
      ['2xx', '2xx'],
      ['3xx', '3xx'],
      ['4xx', '4xx'],
      ['5xx', '5xx'],
      ['other', 'other'],
    ],
  },
];

const formNames: readonly Name[] = [...texts, ...choices].map(({ name }) => name);

/** The filters as fields. Enter or the button applies them and starts at the first page. */
export function SearchForm() {
  const { address, go, link } = useAddress();
  const values = new Map<string, string>(
    Object.entries({ ...address.filters, ...address.requestFilters, countries: address.countries ?? '' }),
  );
  const setValue = (name: Name) => values.get(name) ?? '';
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const given = (name: Name) => String(data.get(name) ?? '').trim();
    const pick = (names: readonly Name[]) =>
      Object.fromEntries(
        names.flatMap((name) => {
          const value = formNames.includes(name) ? given(name) : setValue(name);
          return value === '' ? [] : [[name, value] as const];
        }),
      );
    go({
      filters: pick(filterNames),
      requestFilters: pick(requestFilterNames),
      countries: given('countries') || null,
      rest: {},
    });
  };
  const isSet = formNames.some((name) => setValue(name) !== '');
  return (
    // The key resets the fields when the address changes elsewhere, for example by the back button.
    <form class="card search-form" aria-label="Filters of requests" key={link({})} onSubmit={submit}>
      {texts.map(({ name, title, hint }) => (
        <label key={name}>
          {title}
          <input
            type="text"
            name={name}
            defaultValue={setValue(name)}
            placeholder={hint}
            maxLength={2_048}
            spellcheck={false}
            autocomplete="off"
          />
        </label>
      ))}
      {choices.map(({ name, title, options }) => (
        <label key={name}>
          {title}
          <select name={name} defaultValue={setValue(name)}>
            {options.map(([value, text]) => (
              <option key={value} value={value} selected={value === setValue(name)}>
                {text}
              </option>
            ))}
          </select>
        </label>
      ))}
      <div class="actions">
        <button type="submit" class="action">
          Search
        </button>
        <a href={link({ screen: 'exports', rest: { type: 'requests' } })}>Export these requests</a>
        {isSet ? (
          <a href={link({ filters: {}, requestFilters: {}, countries: null, rest: {} })}>clear</a>
        ) : null}
      </div>
    </form>
  );
}
