import { useState } from 'preact/hooks';
import { type Address, filterNames, useAddress, windowOf } from '../../address.js';
import { logText } from '../../format.js';
import { ActionForm, useAction } from '../../parts/action.js';
import { Field } from '../../parts/fields.js';
import { Notice } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { useWebsite } from '../../parts/website.js';
import { exportTypes } from './export-types.js';

const formats = ['csv', 'ndjson', 'parquet'] as const;

/** Filters of the address that createExport knows. */
const FILTERS = [
  'bot',
  'status',
  'status_category',
  'host',
  'file_type',
  'params_filter',
  'directory',
] as const;

/** The body's filters, and the names of those of the address that no export, or not this type, applies. */
function filtersOf({ filters, requestFilters, countries, verified, segment }: Address, type: string) {
  const { path, ...ofRequests } = requestFilters;
  const isVerified = verified && type === 'requests';
  const left = [
    ...(segment === null ? [] : ['the segment']),
    ...(verified && !isVerified ? ['verified only'] : []),
    ...filterNames.filter((name) => filters[name] !== undefined && !FILTERS.some((own) => own === name)),
    ...Object.keys(ofRequests),
  ];
  return {
    left: left.map((name) => name.replaceAll('_', ' ')),
    filters: {
      ...Object.fromEntries(
        FILTERS.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]]])),
      ),
      ...(countries === null ? {} : { countries }),
      ...(path === undefined ? {} : { path_filter: path }),
      ...(isVerified ? { filter: 'verified' } : {}),
    },
  };
}

function startTypeOf(name: string | undefined): string {
  return exportTypes.find((type) => type.name === name)?.name ?? 'paths';
}

interface Asked {
  readonly warning?: string;
  readonly ignored_filters?: readonly string[];
}

/** Asks for a file of all rows of a read, with the window, the countries and the filters of the address. */
export function AskForExport() {
  const { address } = useAddress();
  const { website } = useWebsite();
  const action = useAction(['listExports']);
  const [type, setType] = useState(startTypeOf(address.rest.type));
  const [format, setFormat] = useState<string>('csv');
  const { filters, left } = filtersOf(address, type);
  const ask = () =>
    void action.send<Asked>(
      'POST',
      `/websites/${website}/exports`,
      {
        export_type: type,
        format,
        notify: false,
        ...windowOf(address.period),
        ...filters,
      },
      ({ warning, ignored_filters = [] }) =>
        warning ??
        `The file is being made. It appears in the list below.${ignored_filters.length === 0 ? '' : ` Not applied: ${ignored_filters.map(logText).join(', ')}.`}`,
    );
  return (
    <Panel title="New export" caption="all rows, with the window and the filters of this page">
      {left.length === 0 ? null : (
        <Notice
          notice={{ kind: 'warning', text: `The file does not apply: ${left.join(', ')}. It has more rows.` }}
        />
      )}
      {type !== 'requests' ? null : (
        <p class="caption">Only requests of bots. The table of Requests saves those of people as CSV.</p>
      )}
      <ActionForm label="New export" action={action} onSend={ask} submit="Make the file">
        <Field label="Rows" name="export_type">
          <select value={type} onChange={(event) => setType(event.currentTarget.value)}>
            {exportTypes.map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Format" name="format">
          <select value={format} onChange={(event) => setFormat(event.currentTarget.value)}>
            {formats.map((name) => (
              <option key={name} value={name}>
                {name.toUpperCase()}
              </option>
            ))}
          </select>
        </Field>
      </ActionForm>
    </Panel>
  );
}
