import { whole } from '../model/texts.js';
import { element, label, palette, picture } from './svg.js';

export interface Bar {
  readonly name: string;
  readonly value: number;
  /** Shown after the value. */
  readonly note?: string;
}

const WIDTH = 640;
const LEFT = 150;
const RIGHT = 130;
const ROW = 24;
/** Characters that fit before the bars. */
const LONGEST_NAME = 24;

/** Horizontal bars in the given order. Pure. */
export function barChart(alt: string, bars: readonly Bar[]): string {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const rows = bars.map(({ name, value, note }, index) => {
    const top = index * ROW;
    const width = ((WIDTH - LEFT - RIGHT) * value) / most;
    const valueText = note === undefined ? whole(value) : `${whole(value)}  (${note})`;
    const cut = name.length > LONGEST_NAME ? `${[...name].slice(0, LONGEST_NAME - 1).join('')}…` : name;
    return (
      label(LEFT - 8, top + 16, cut, { 'text-anchor': 'end' }) +
      element('rect', { x: LEFT, y: top + 4, width: Math.max(width, 1), height: 16, fill: palette[0] }) +
      label(LEFT + width + 6, top + 16, valueText)
    );
  });
  return picture(WIDTH, Math.max(bars.length, 1) * ROW + 4, alt, rows.join(''));
}
