import { type Address, filterNames, useAddress } from '../../address.js';

/** Filters of the search, in addition to those of the whole console; names of the API's parameters. */
const ownNames = ['path', 'client_ip', 'bot_name', 'user_agent', 'method', 'country', 'is_bot'] as const;
const consoleNames = ['status', 'status_category', 'host', 'file_type'] as const;
type Name = (typeof ownNames)[number] | (typeof consoleNames)[number];

const texts: readonly { readonly name: Name; readonly title: string; readonly hint: string }[] = [
  { name: 'path', title: 'Path contains', hint: '/product/' },
  { name: 'client_ip', title: 'Address', hint: '66.249.66.1' },
  { name: 'bot_name', title: 'Bot', hint: 'Googlebot' },
  { name: 'user_agent', title: 'User agent contains', hint: 'bingbot/2.0' },
  { name: 'status', title: 'Status', hint: '404' },
  { name: 'host', title: 'Host', hint: 'www.example.com' },
  { name: 'file_type', title: 'File types', hint: 'html,php' },
  { name: 'country', title: 'Country', hint: 'DE' },
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

/** The search's own part in the parameters of its call. */
export function searchedOf({ rest }: Address): Partial<Record<Name, string>> {
  return Object.fromEntries(
    ownNames.flatMap((name) => (rest[name] === undefined ? [] : [[name, rest[name]] as const])),
  );
}

/** The filters as fields. Enter or the button applies them and starts at the first page. */
export function SearchForm() {
  const { address, go, link } = useAddress();
  const setValue = (name: Name) =>
    (address.rest[name] ?? new Map(Object.entries(address.filters)).get(name) ?? '') as string;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const pick = (names: readonly string[]) =>
      Object.fromEntries(
        names.flatMap((name) => {
          const value = String(data.get(name) ?? '').trim();
          return value === '' ? [] : [[name, value] as const];
        }),
      );
    const kept = Object.entries(address.filters).filter(
      ([name]) => !(consoleNames as readonly string[]).includes(name),
    );
    go({ filters: { ...Object.fromEntries(kept), ...pick(consoleNames) }, rest: pick(ownNames) });
  };
  const isSet = [...ownNames, ...filterNames].some((name) => setValue(name as Name) !== '');
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
        {isSet ? <a href={link({ filters: {}, rest: {} })}>clear</a> : null}
      </div>
    </form>
  );
}
