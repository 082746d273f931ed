import { useState } from 'preact/hooks';
import { useAddress } from '../../address.js';
import { logText } from '../../format.js';
import { ActionForm, useAction } from '../../parts/action.js';
import { SelectField } from '../../parts/fields.js';
import { Notice } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { useWebsite } from '../../parts/website.js';
import { carriedFilters } from './carried-filters.js';
import { exportTypes } from './export-types.js';

const formats = [
  ['csv', 'CSV'],
  ['ndjson', 'NDJSON'],
  ['parquet', 'PARQUET'],
] as const;

interface Asked {
  readonly warning?: string;
  readonly ignored_filters?: readonly string[];
}

/** Asks for a file of all rows of a read, with the window, the countries and the filters of the address. */
export function AskForExport() {
  const { address } = useAddress();
  const { website } = useWebsite();
  const action = useAction(['listExports']);
  const [chosen, setChosen] = useState(address.rest.type ?? 'paths');
  const [format, setFormat] = useState<(typeof formats)[number][0]>('csv');
  const type = exportTypes.find(({ name }) => name === chosen) ?? exportTypes[0]!;
  const { body, applied, left } = carriedFilters(address, type);
  const ask = () =>
    void action.send<Asked>(
      'POST',
      `/websites/${website}/exports`,
      { export_type: type.name, format, notify: false, ...body },
      ({ warning, ignored_filters = [] }) =>
        warning ??
        `The file is being made. It appears in the list below.${ignored_filters.length === 0 ? '' : ` Not applied: ${ignored_filters.map(logText).join(', ')}.`}`,
    );
  return (
    <Panel title="New export" caption="all rows, with the window and the filters of this page">
      {left.length === 0 ? null : (
        <Notice
          notice={{
            kind: 'warning',
            text: `The file does not apply ${left.map((text) => `“${logText(text)}”`).join(', ')}. It has more rows.`,
          }}
        />
      )}
      {type.name !== 'requests' ? null : (
        <p class="caption">Only requests of bots. The table of Requests saves those of people as CSV.</p>
      )}
      <p class="caption">Rows of {applied.map(logText).join(' · ')}</p>
      <ActionForm label="New export" action={action} onSend={ask} submit="Make the file">
        <SelectField
          label="Rows"
          name="export_type"
          options={exportTypes.map(({ name, title }) => [name, title] as const)}
          value={type.name}
          onChange={setChosen}
        />
        <SelectField label="Format" name="format" options={formats} value={format} onChange={setFormat} />
      </ActionForm>
    </Panel>
  );
}
