import { useState } from 'preact/hooks';
import { ActionForm, Field, useAction } from '../../parts/action.js';
import { Panel } from '../../parts/panel.js';
import { useWebsite } from '../../parts/website.js';
import { type Rule, type RuleType, ruleTypes } from './rule-matches.js';
import { RulePreview } from './rule-preview.js';
import { SEGMENT_READS } from './segment-list.js';

const FIRST: Rule = { type: 'prefix', value: '/' };
const MOST_RULES = 10;

/** A new segment of one or more rules, with the paths that they match. */
export function AddSegment() {
  const { website } = useWebsite();
  const action = useAction(SEGMENT_READS);
  const library = useAction(SEGMENT_READS);
  const [name, setName] = useState('');
  const [rules, setRules] = useState<readonly Rule[]>([FIRST]);
  const change = (place: number, rule: Rule) => setRules(rules.with(place, rule));
  const add = async () => {
    const created = await action.send(
      'POST',
      `/websites/${website}/segments`,
      { name, rules },
      `“${name}” is saved.`,
    );
    if (created === null) return;
    setName('');
    setRules([FIRST]);
  };
  return (
    <Panel title="New segment" caption="requests that match one of the rules, in all history">
      <ActionForm label="New segment" action={action} onSend={() => void add()} submit="Save the segment">
        <Field label="Name">
          <input
            type="text"
            required
            maxLength={60}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </Field>
        {rules.map((rule, place) => (
          <RuleFields
            key={place}
            rule={rule}
            onChange={(changed) => change(place, changed)}
            onRemove={rules.length > 1 ? () => setRules(rules.toSpliced(place, 1)) : null}
          />
        ))}
        {rules.length < MOST_RULES ? (
          <button type="button" class="tool" onClick={() => setRules([...rules, FIRST])}>
            or another rule
          </button>
        ) : null}
      </ActionForm>
      <RulePreview rules={rules} />
      <ActionForm
        label="Segment library"
        action={library}
        onSend={() =>
          void library.send<{ added: string[] }>(
            'POST',
            `/websites/${website}/segments/library`,
            {},
            ({ added }) =>
              added.length === 0 ? 'All of them exist already.' : `Added: ${added.join(', ')}.`,
          )
        }
        submit="Add the usual segments"
      />
    </Panel>
  );
}

function RuleFields({
  rule,
  onChange,
  onRemove,
}: {
  readonly rule: Rule;
  readonly onChange: (rule: Rule) => void;
  readonly onRemove: (() => void) | null;
}) {
  return (
    <div class="field-row">
      <Field label="Rule">
        <select
          value={rule.type}
          onChange={(event) => onChange({ ...rule, type: event.currentTarget.value as RuleType })}
        >
          {[...ruleTypes].map(([type, title]) => (
            <option key={type} value={type}>
              {title}
            </option>
          ))}
        </select>
      </Field>
      <Field label="Value">
        <input
          type="text"
          required
          value={rule.value}
          onInput={(event) => onChange({ ...rule, value: event.currentTarget.value })}
        />
      </Field>
      {onRemove === null ? null : (
        <button type="button" class="tool" onClick={onRemove}>
          remove the rule
        </button>
      )}
    </div>
  );
}
