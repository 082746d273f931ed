const WIDTH = 24;

/** Moves to the start of the line and clears it. */
export const CLEAR_LINE = '\r\u001b[K';

/** `██████░░░░░░░░░░░░░░░░░░ 25 %` @param share from 0 to 1 */
export function bar(share: number): string {
  const within = Math.min(1, Math.max(0, share));
  const filled = Math.round(within * WIDTH);
  return `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${Math.floor(within * 100)} %`;
}
