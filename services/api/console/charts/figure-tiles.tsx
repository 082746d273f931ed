import type { ReadState } from '../api/use-read.js';
import { Delta } from '../parts/delta.js';
import { Notice, noticeOf } from '../parts/notice.js';
import { Sparkline } from './sparkline.js';

export interface FigureTile {
  readonly title: string;
  readonly figure: string;
  /** The same without rounding, as a tooltip. */
  readonly exact?: string;
  /** A few words below the figure. */
  readonly note?: string;
  readonly change?: number | null | undefined;
  readonly unit?: '%' | 'pp';
  readonly goodWhen?: 'up' | 'down';
  /** The figure over the window, with the class of its colour. */
  readonly course?: { readonly values: readonly number[]; readonly tone: string };
}

/** A row of figures of one read. `count` tiles are outlined while it loads, with room for a course where `tall`. */
export function FigureTiles<Value>({
  read,
  count,
  tiles,
  tall = false,
}: {
  readonly read: ReadState<Value>;
  readonly count: number;
  readonly tiles: (answer: Value) => readonly FigureTile[];
  readonly tall?: boolean;
}) {
  const { answer } = read;
  const size = tall ? 'card tile' : 'card tile small';
  return (
    <div class="tiles" aria-busy={read.isLoading}>
      <Notice notice={noticeOf(read)} />
      {answer === null
        ? Array.from({ length: read.problem === null ? count : 0 }, (_, place) => (
            <div key={place} class={`${size} skeleton`} aria-hidden="true" />
          ))
        : tiles(answer).map(({ title, figure, exact, note, change, unit = '%', goodWhen, course }) => (
            <section key={title} class={size} aria-label={title}>
              <h2>{title}</h2>
              <p>
                <strong title={exact}>{figure}</strong>{' '}
                <Delta value={change} unit={unit} {...(goodWhen === undefined ? {} : { goodWhen })} />
              </p>
              {note === undefined ? null : <small>{note}</small>}
              {course === undefined ? null : <Sparkline values={course.values} class={course.tone} />}
            </section>
          ))}
    </div>
  );
}
