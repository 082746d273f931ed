import { useState } from 'preact/hooks';
import { ActionForm, Field, useAction } from '../../parts/action.js';
import { Panel } from '../../parts/panel.js';
import { useWebsite } from '../../parts/website.js';

/** Asks for the technical SEO report: a PDF and the same as a page. */
export function AskForReport() {
  const { website } = useWebsite();
  const action = useAction(['listExports']);
  const [days, setDays] = useState('30');
  const [reader, setReader] = useState('');
  const ask = () =>
    void action.send(
      'POST',
      `/websites/${website}/reports/seo`,
      {
        period_days: Number(days),
        notify: false,
        ...(reader.trim() === '' ? {} : { prepared_for: reader.trim() }),
      },
      'The report is being made. It appears in the list below.',
    );
  return (
    <Panel title="New report" caption="technical SEO: findings in the order of their cost, as PDF and HTML">
      <ActionForm label="New report" action={action} onSend={ask} submit="Make the report" needsOwner={false}>
        <Field label="Whole days">
          <input
            type="number"
            min="7"
            max="90"
            required
            value={days}
            onInput={(event) => setDays(event.currentTarget.value)}
          />
        </Field>
        <Field label="Prepared for (optional)">
          <input
            type="text"
            maxLength={120}
            value={reader}
            onInput={(event) => setReader(event.currentTarget.value)}
          />
        </Field>
      </ActionForm>
    </Panel>
  );
}
