import { useState } from 'preact/hooks';
import { useAddress } from '../../address.js';
import type { Answer } from '../../api/operations.js';
import type { ReadState } from '../../api/use-read.js';
import { logText, moment, short } from '../../format.js';
import { Card } from '../../parts/card.js';
import { columnsOf } from '../../parts/columns.js';
import { DataTable } from '../../parts/data-table.js';
import { PathLink } from '../../parts/path-link.js';
import { ScrollFrame } from '../../parts/scroll-frame.js';
import { type BrokenRule, brokenRules } from './broken-rules.js';

type Robots = Answer<'getRobots'>;
type Violation = Robots['violations'][number];

const PATHS_AT_FIRST = 10;
const column = columnsOf<Violation>();
const pathColumns = [
  column.text('Path', 'path', ({ path }) => <PathLink path={path} />),
  column.number('Requests', 'requests'),
  column.text('Last', 'last_seen', ({ last_seen }) => moment(last_seen)),
];

/** Requests of proved crawlers that the version of their time disallowed, by crawler and rule. A row opens its paths. */
export function Violations({ robots }: { readonly robots: ReadState<Robots> }) {
  return (
    <Card
      title="Requests against robots.txt"
      caption="verified crawlers only, by the version in force at the time · a rule opens its paths"
      read={robots}
      empty={{
        when: ({ violations, judged_since }) => judged_since === null || violations.length === 0,
        text: 'No request of a verified crawler is known to be against robots.txt in this window.',
      }}
      table={(answer) => ({
        caption: 'Requests against robots.txt',
        rows: answer.violations ?? [],
        columns: [column.text('Crawler', 'bot_name'), column.text('Rule', 'rule'), ...pathColumns],
      })}
    >
      {({ violations, violations_total }) => (
        <>
          <Rules rules={brokenRules(violations)} />
          {violations_total !== null && violations_total > violations.length ? (
            <p class="note">
              The {short(violations.length)} paths with most requests of {short(violations_total)}.
            </p>
          ) : null}
        </>
      )}
    </Card>
  );
}

function Rules({ rules }: { readonly rules: readonly BrokenRule<Violation>[] }) {
  return (
    <ScrollFrame label="Requests against robots.txt">
      <table class="data">
        <caption class="visually-hidden">Requests against robots.txt by crawler and rule</caption>
        <thead>
          <tr>
            <th scope="col">Crawler</th>
            <th scope="col">Rule</th>
            <th scope="col" class="number">
              Requests
            </th>
            <th scope="col" class="number">
              Paths
            </th>
            <th scope="col">Last</th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule) => (
            <RuleRows key={`${rule.bot_name} ${rule.rule}`} rule={rule} />
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  );
}

function RuleRows({ rule }: { readonly rule: BrokenRule<Violation> }) {
  const { address, toggleFilter } = useAddress();
  const [isOpen, setOpen] = useState(false);
  const { bot_name } = rule;
  return (
    <>
      <tr>
        <td>
          <button
            type="button"
            class="pick"
            aria-pressed={address.filters.bot === bot_name}
            onClick={() => toggleFilter('bot', bot_name)}
          >
            {logText(bot_name)}
          </button>
        </td>
        <td>
          <button type="button" class="pick" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? '▾' : '▸'} <code>{logText(rule.rule)}</code>
          </button>
        </td>
        <td class="number">{short(rule.requests)}</td>
        <td class="number">{short(rule.paths.length)}</td>
        <td>{moment(rule.last_seen)}</td>
      </tr>
      {isOpen ? (
        <tr class="opened">
          <td colSpan={5}>
            <DataTable
              table={{
                caption: 'Paths requested against the rule',
                first: PATHS_AT_FIRST,
                rows: rule.paths,
                columns: pathColumns,
              }}
            />
          </td>
        </tr>
      ) : null}
    </>
  );
}
