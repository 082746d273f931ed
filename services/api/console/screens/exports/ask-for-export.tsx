import { useState } from 'preact/hooks';
import { useAddress, windowOf } from '../../address.js';
import { ActionForm, Field, useAction } from '../../parts/action.js';
import { Panel } from '../../parts/panel.js';
import { useWebsite } from '../../parts/website.js';
import { exportTypes } from './export-types.js';

const formats = ['csv', 'ndjson', 'parquet'] as const;

/** Filters of the address that createExport knows. */
const FILTERS = ['bot', 'status', 'status_category', 'host', 'file_type', 'params_filter'] as const;

interface Asked {
  readonly warning?: string;
}

/** Asks for a file of all rows of a read, with the window, the countries and the filters of the address. */
export function AskForExport() {
  const { address } = useAddress();
  const { website } = useWebsite();
  const action = useAction(['listExports']);
  const [type, setType] = useState('paths');
  const [format, setFormat] = useState<string>('csv');
  const filters = Object.fromEntries(
    FILTERS.flatMap((name) => (address.filters[name] === undefined ? [] : [[name, address.filters[name]]])),
  );
  const ask = () =>
    void action.send<Asked>(
      'POST',
      `/websites/${website}/exports`,
      {
        export_type: type,
        format,
        notify: false,
        ...windowOf(address.period),
        ...(address.countries === null ? {} : { countries: address.countries }),
        ...filters,
      },
      ({ warning }) => warning ?? 'The file is being made. It appears in the list below.',
    );
  return (
    <Panel
      title="New export"
      caption="all rows, with the window and the filters of this page; not the segment"
    >
      <ActionForm label="New export" action={action} onSend={ask} submit="Make the file">
        <Field label="Rows">
          <select value={type} onChange={(event) => setType(event.currentTarget.value)}>
            {exportTypes.map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Format">
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
