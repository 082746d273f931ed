import { Field } from '../../parts/action.js';
import { type Rule, type RuleType, ruleTypes } from './rule-matches.js';

const MOST_RULES = 30;

/** Rules as fields, with buttons to add and remove them. */
export function RuleList({
  title,
  rules,
  least,
  onChange,
}: {
  readonly title: string;
  readonly rules: readonly Rule[];
  readonly least: number;
  readonly onChange: (rules: readonly Rule[]) => void;
}) {
  return (
    <fieldset class="rule-list">
      <legend>{title}</legend>
      {rules.map((rule, place) => (
        <RuleFields
          key={place}
          rule={rule}
          onChange={(changed) => onChange(rules.with(place, changed))}
          onRemove={rules.length > least ? () => onChange(rules.toSpliced(place, 1)) : null}
        />
      ))}
      {rules.length < MOST_RULES ? (
        <button
          type="button"
          class="tool"
          onClick={() => onChange([...rules, { type: 'prefix', value: '/' }])}
        >
          {rules.length === 0 ? 'add a rule' : 'or another rule'}
        </button>
      ) : null}
    </fieldset>
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
