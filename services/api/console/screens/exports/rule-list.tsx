import { SelectField, TextField } from '../../parts/fields.js';
import { type Rule, ruleTypes } from './rule-matches.js';

const MOST_RULES = 30;

/** Rules as fields, with buttons to add and remove them. */
export function RuleList({
  title,
  name,
  rules,
  least,
  onChange,
}: {
  readonly title: string;
  /** The name of the list in the body. */
  readonly name: string;
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
          name={`${name}[${place}]`}
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
  name,
  rule,
  onChange,
  onRemove,
}: {
  readonly name: string;
  readonly rule: Rule;
  readonly onChange: (rule: Rule) => void;
  readonly onRemove: (() => void) | null;
}) {
  return (
    <div class="field-row">
      <SelectField
        label="Rule"
        name={`${name}.type`}
        options={[...ruleTypes]}
        value={rule.type}
        onChange={(type) => onChange({ ...rule, type })}
      />
      <TextField
        label="Value"
        name={`${name}.value`}
        required
        value={rule.value}
        onChange={(value) => onChange({ ...rule, value })}
      />
      {onRemove === null ? null : (
        <button type="button" class="tool" onClick={onRemove}>
          remove the rule
        </button>
      )}
    </div>
  );
}
