import type { LineEnvelope, Part } from './envelope.js';

/** The prefix of a container's log on Kubernetes (CRI): `2026-02-14T08:15:30.250123456Z stdout F text`. */
export const containerRuntime: LineEnvelope = {
  name: 'container-runtime',
  endOfPrefix(line) {
    if (line.charCodeAt(4) !== 45 /* - */ || line.charCodeAt(10) !== 84 /* T */) return 0;
    // The time has a fraction and a zone of variable length.
    const stream = line.indexOf(' std', 19);
    if (stream === -1 || stream > LONGEST_TIME) return 0;
    const behind = stream + ' stdout '.length;
    const isStream = line.startsWith('stdout ', stream + 1) || line.startsWith('stderr ', stream + 1);
    const isWhole = line.charCodeAt(behind + 1) === 32 && (line[behind] === 'F' || line[behind] === 'P');
    return isStream && isWhole ? behind + 2 : 0;
  },
};

/** `2026-02-14T08:15:30.250123456+00:00` */
const LONGEST_TIME = 36;

/**
 * Reads a line of a container's log as a part of a line.
 * @param isWaiting whether a line without a mark may be the last part
 * @returns null for a whole line
 */
export function partOfLine(line: string, isWaiting: boolean): Part | null {
  const part = readContainerLine(line);
  return part !== null && (part.isMarked || isWaiting) ? part : null;
}

/** Text of a line of a container's log, and whether more of it follows (`P`); null for another line. */
export function readContainerLine(line: string): Part | null {
  const end = containerRuntime.endOfPrefix(line);
  if (end === 0) return null;
  const isMarked = line[end - 2] === 'P';
  const key = line.slice(end - 'stdout P '.length, end - 3);
  return { key, text: line.slice(end), isLast: !isMarked, ordinal: 0, isMarked };
}
