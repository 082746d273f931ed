import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** A value that the server refused: `rules[0].value` and a sentence. */
export interface Fault {
  readonly field: string;
  readonly text: string;
}

/** The fault of the form around. */
export const FormFault = createContext<Fault | null>(null);

/** Whether the fault is in this field of a body, or in an entry of it. */
export function isAt({ field }: Fault, name: string): boolean {
  return name !== '' && (field === name || field.startsWith(`${name}[`));
}

/** @param name of the value in the body, so that a refusal of the server is shown here. */
export function Field({
  label,
  name,
  children,
}: {
  readonly label: string;
  readonly name: string;
  readonly children: ComponentChildren;
}) {
  const fault = useContext(FormFault);
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child.
    <label class="field">
      <span>{label}</span>
      {children}
      {fault !== null && isAt(fault, name) ? <small class="bad">{fault.text}</small> : null}
    </label>
  );
}

/** One line of text. Without `onChange` the form reads it when it is sent. */
export function TextField({
  label,
  name,
  type = 'text',
  onChange,
  ...control
}: {
  readonly label: string;
  readonly name: string;
  readonly type?: 'text' | 'number' | 'date' | 'time';
  readonly onChange?: (value: string) => void;
  readonly value?: string;
  readonly defaultValue?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
  readonly placeholder?: string;
}) {
  return (
    <Field label={label} name={name}>
      <input
        // Preact types the other props by this one, and none of them is used here.
        type={type as 'text'}
        name={name}
        onInput={onChange === undefined ? undefined : (event) => onChange(event.currentTarget.value)}
        {...control}
      />
    </Field>
  );
}

/** One of a few values. */
export function SelectField<Value extends string>({
  label,
  name,
  options,
  value,
  onChange,
}: {
  readonly label: string;
  readonly name: string;
  readonly options: readonly (readonly [value: Value, title: string])[];
  readonly value: Value;
  /** Absent: `value` is chosen at first, and the form reads the choice when it is sent. */
  readonly onChange?: (value: Value) => void;
}) {
  return (
    <Field label={label} name={name}>
      <select
        name={name}
        value={onChange === undefined ? undefined : value}
        onChange={
          onChange === undefined ? undefined : (event) => onChange(event.currentTarget.value as Value)
        }
      >
        {options.map(([option, title]) => (
          <option key={option} value={option} selected={option === value}>
            {title}
          </option>
        ))}
      </select>
    </Field>
  );
}
