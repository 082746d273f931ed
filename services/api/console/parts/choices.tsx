export interface Choice {
  readonly name: string;
  readonly title: string;
}

/** A few exclusive choices side by side. */
export function Choices({
  label,
  choices,
  chosen,
  onChoose,
}: {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
}) {
  return (
    <fieldset class="choices inline">
      <legend class="visually-hidden">{label}</legend>
      {choices.map(({ name, title }) => (
        <button key={name} type="button" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
          {title}
        </button>
      ))}
    </fieldset>
  );
}
