/** The values of a form by the names of its controls. */
type Values = Pick<FormData, 'get' | 'getAll' | 'has'>;

/**
 * The settings that the form changes.
 * @param controls names of the form's controls: a browser sends no value of a box that is not ticked. A setting without a control stays.
 */
export function changesOf<Config extends object>(
  controls: ReadonlySet<string>,
  values: Values,
  config: Config,
): Partial<Config> {
  const changed = Object.entries(config).flatMap(([name, before]) => {
    if (!controls.has(name)) return [];
    const now = valueLike(before, name, values);
    return JSON.stringify(now) === JSON.stringify(before) ? [] : [[name, now] as const];
  });
  return Object.fromEntries(changed) as Partial<Config>;
}

/** Lists come from boxes with the same name, or from the lines of one text. */
function valueLike(before: unknown, name: string, values: Values): unknown {
  if (typeof before === 'boolean') return values.has(name);
  if (typeof before === 'number') return Number(values.get(name));
  return values
    .getAll(name)
    .flatMap((text) => String(text).split('\n'))
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
