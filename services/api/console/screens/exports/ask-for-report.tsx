import { useState } from 'preact/hooks';
import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { ActionForm, useAction } from '../../parts/action.js';
import { Field } from '../../parts/fields.js';
import { Notice } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { useWebsite } from '../../parts/website.js';

const LEAST_DAYS = 7;
const USUAL_DAYS = 30;
const MOST_DAYS = 90;
const DAY_MS = 86_400_000;

/** Days before now that the logs cover, within what a report may cover; null: not known. */
function coveredDays(answer: Answer<'getTraffic'> | null): number | null {
  if (answer === null || answer.complete_since === null) return null;
  const days = Math.floor((Date.now() - Date.parse(answer.complete_since)) / DAY_MS);
  return Math.min(Math.max(days, LEAST_DAYS), MOST_DAYS);
}

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
  const covered = coveredDays(traffic.answer);
  const [chosen, setDays] = useState<string | null>(null);
  const days = chosen ?? String(covered ?? USUAL_DAYS);
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
        <Field label="Whole days" name="period_days">
          <input
            type="number"
            min={LEAST_DAYS}
            max={MOST_DAYS}
            required
            value={days}
            onInput={(event) => setDays(event.currentTarget.value)}
          />
        </Field>
        {covered === null ? null : (
          <p class="caption">
            Logs cover the last {covered} days. The report covers the whole website: filters of this page do
            not apply.
          </p>
        )}
        <Field label="Prepared for (optional)" name="prepared_for">
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
