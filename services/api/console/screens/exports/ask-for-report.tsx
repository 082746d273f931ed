import { useState } from 'preact/hooks';
import { useAddress } from '../../address.js';
import { useRead } from '../../api/use-read.js';
import { ActionForm, useAction } from '../../parts/action.js';
import { TextField } from '../../parts/fields.js';
import { Notice } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { useWebsite } from '../../parts/website.js';
import { coveredDays, LEAST_DAYS, MOST_DAYS, reportDays } from './report-days.js';

/** Asks for the technical SEO report: a PDF and the same as a page. */
export function AskForReport() {
  const { address } = useAddress();
  const { website } = useWebsite();
  const isFiltered =
    address.segment !== null ||
    address.countries !== null ||
    address.verified ||
    Object.keys(address.filters).length > 0;
  const action = useAction(['listExports']);
  const traffic = useRead('getTraffic', website, { hours: 168 }, { when: website !== null });
  const covered = coveredDays(traffic.answer?.complete_since ?? null);
  const [chosen, setDays] = useState<string | null>(null);
  const days = chosen ?? String(reportDays(address.period, covered));
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
      {isFiltered ? (
        <Notice
          notice={{
            kind: 'warning',
            text: 'The report covers the whole website: it applies neither the segment nor a filter.',
          }}
        />
      ) : null}
      <ActionForm label="New report" action={action} onSend={ask} submit="Make the report" needsOwner={false}>
        <TextField
          label="Whole days before today (UTC)"
          name="period_days"
          type="number"
          min={LEAST_DAYS}
          max={MOST_DAYS}
          required
          value={days}
          onChange={setDays}
        />
        <TextField
          label="Prepared for (optional)"
          name="prepared_for"
          maxLength={120}
          value={reader}
          onChange={setReader}
        />
        {covered === null ? null : (
          <p class="caption">
            At first the days of this page’s window that the logs cover: they begin {covered} days ago.
          </p>
        )}
      </ActionForm>
    </Panel>
  );
}
