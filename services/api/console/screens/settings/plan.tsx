import type { Answer } from '../../api/operations.js';
import { useRead } from '../../api/use-read.js';
import { logText, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { columnsOf } from '../../parts/columns.js';
import { DataTable, type Table } from '../../parts/data-table.js';

type Billing = Answer<'getBilling'>;
type Offer = Billing['available_plans'][number];

const column = columnsOf<Offer>();

/** The plan of the organisation, and the plans there are. */
export function Plan() {
  const billing = useRead('getBilling', null, {});
  return (
    <Card title="Plan" read={billing} table={tableOf}>
      {(answer) => (
        <>
          <dl class="facts">
            <dt>Plan</dt>
            <dd>
              <b>{logText(answer.plan_name)}</b>
            </dd>
            <dt>Subscription</dt>
            <dd>{answer.subscription_status?.replaceAll('_', ' ') ?? 'none'}</dd>
            {answer.portal_url === null ? null : (
              <>
                <dt>Invoices</dt>
                <dd>
                  <a href={answer.portal_url}>Open the customer portal</a>
                </dd>
              </>
            )}
          </dl>
          <DataTable table={tableOf(answer)} />
          <p class="caption">
            Without a payment service an operator sets the plan:{' '}
            <code>npm run admin -- plan set {answer.org_id} &lt;plan&gt;</code>
          </p>
        </>
      )}
    </Card>
  );
}

function tableOf({ available_plans }: Billing): Table {
  return {
    caption: 'Plans',
    rows: available_plans,
    columns: [
      column.text('Plan', 'name'),
      column.number('US dollars a month', 'price_monthly_usd'),
      column.number('Trial, days', 'trial_period_days', ({ trial_period_days }) => short(trial_period_days)),
    ],
  };
}
