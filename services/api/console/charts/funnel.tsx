import { percent, short } from '../format.js';

export interface Stage {
  readonly name: string;
  readonly value: number;
}

/** Stages side by side, each as high as its figure, with its share of the first. */
export function Funnel({ stages, label }: { readonly stages: readonly Stage[]; readonly label: string }) {
  const most = Math.max(...stages.map(({ value }) => value), 1);
  const first = stages[0]?.value ?? 0;
  return (
    <figure class="funnel" aria-label={label}>
      <ol>
        {stages.map(({ name, value }, place) => {
          const after = stages[place + 1]?.value ?? value;
          return (
            <li key={name}>
              <span>{name}</span>
              <b>{short(value)}</b>
              <small>
                {place === 0 || first === 0
                  ? ''
                  : `${percent(Math.round((value / first) * 1_000) / 10)} of the first`}
              </small>
              <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
                <polygon points={edge(value / most, after / most)} />
              </svg>
            </li>
          );
        })}
      </ol>
    </figure>
  );
}

/** From the height of a stage to the height of the next. A figure above zero stays visible. */
function edge(from: number, to: number): string {
  const [left, right] = [from, to].map((share) => (share === 0 ? 0 : Math.max(share * 48, 0.8))) as [
    number,
    number,
  ];
  return `0,${50 - left} 60,${50 - left} 100,${50 - right} 100,${50 + right} 60,${50 + left} 0,${50 + left}`;
}
