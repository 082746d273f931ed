import type { ReadState } from '../api/use-read.js';
import { Delta } from './delta.js';
import { Notice, noticeOf } from './notice.js';

export interface FigureTile {
  readonly title: string;
  readonly figure: string;
  /** A few words below the figure. */
  readonly note?: string;
  readonly change?: number | null | undefined;
  readonly unit?: '%' | 'pp';
  readonly goodWhen?: 'up' | 'down';
}

/** A row of figures of one read. `count` tiles are outlined while it loads. */
export function FigureTiles<Value>({
  read,
  count,
  tiles,
}: {
  readonly read: ReadState<Value>;
  readonly count: number;
  readonly tiles: (answer: Value) => readonly FigureTile[];
}) {
  const { answer } = read;
  return (
    <div class="tiles">
      <Notice notice={noticeOf(read)} />
      {answer === null
        ? Array.from({ length: read.problem === null ? count : 0 }, (_, place) => (
            <div key={place} class="card tile small skeleton" aria-hidden="true" />
          ))
        : tiles(answer).map(({ title, figure, note, change, unit = '%', goodWhen }) => (
            <div key={title} class="card tile small">
              <h2>{title}</h2>
              <p>
                <strong>{figure}</strong>{' '}
                <Delta value={change} unit={unit} {...(goodWhen === undefined ? {} : { goodWhen })} />
              </p>
              {note === undefined ? null : <small>{note}</small>}
            </div>
          ))}
    </div>
  );
}
