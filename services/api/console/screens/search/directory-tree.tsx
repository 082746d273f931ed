import { useState } from 'preact/hooks';
import { StatusMix } from '../../charts/status-mix.js';
import { logText, percent, short } from '../../format.js';
import { ScrollFrame } from '../../parts/scroll-frame.js';
import { useWithout } from '../../parts/use-without.js';
import type { Directory } from './directories.js';

interface Row {
  readonly directory: Directory;
  readonly level: number;
}

/** More directories of one parent are not shown. */
const MOST_CHILDREN = 40;
const HEADS = ['Requests', 'Share', 'Paths', 'Status', 'Failed'];

/** Directories as a table whose rows open. A click on a name chooses the directory. */
export function DirectoryTree({
  root,
  total,
  chosen,
  onChoose,
}: {
  readonly root: Directory;
  /** Requests for all paths, also those in no directory. */
  readonly total: number;
  readonly chosen: string;
  readonly onChoose: (path: string) => void;
}) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(['/', ...ancestors(chosen)]));
  const toggle = (path: string) => {
    const changed = new Set(open);
    if (!changed.delete(path)) changed.add(path);
    setOpen(changed);
  };
  return (
    <ScrollFrame label="Directories">
      <table class="bars search tree">
        <caption class="visually-hidden">Directories by requests of search crawlers</caption>
        <thead>
          <tr>
            <th scope="col">Directory</th>
            {HEADS.map((head) => (
              <th key={head} scope="col" class="number">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rowsOf(root, 0, open).map(({ directory, level }) => (
            <TreeRow
              key={directory.directory}
              directory={directory}
              level={level}
              total={total}
              isOpen={open.has(directory.directory)}
              isChosen={directory.directory === chosen}
              onToggle={() => toggle(directory.directory)}
              onChoose={() => onChoose(directory.directory)}
            />
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  );
}

function TreeRow({
  directory,
  level,
  total,
  isOpen,
  isChosen,
  onToggle,
  onChoose,
}: Row & {
  readonly total: number;
  readonly isOpen: boolean;
  readonly isChosen: boolean;
  readonly onToggle: () => void;
  readonly onChoose: () => void;
}) {
  const without = useWithout(directory.directory, 'prefix');
  const { directory: path, requests, paths, children, failed_pct: failed } = directory;
  const share = total === 0 ? 0 : requests / total;
  return (
    <tr class={isChosen ? 'selected' : ''}>
      <th scope="row" class={`level-${level}`}>
        {children.length === 0 ? (
          <span class="opener none" />
        ) : (
          <button
            type="button"
            class="opener"
            aria-expanded={isOpen}
            aria-label={`Directories in ${logText(path)}`}
            onClick={onToggle}
          >
            {isOpen ? '▾' : '▸'}
          </button>
        )}
        <button
          type="button"
          class="pick"
          aria-pressed={isChosen}
          onClick={(event) => (event.altKey && path !== '/' ? without.onAltClick(event) : onChoose())}
        >
          {logText(path)}
        </button>
      </th>
      <td class="number bar">
        <svg class="bar-shape" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
          <rect x={100 - share * 100} width={share * 100} height="10" rx="1" />
        </svg>
        <span>{short(requests)}</span>
      </td>
      <td class="number">{percent(Math.round(share * 1_000) / 10)}</td>
      <td class="number">{short(paths)}</td>
      <td class="number">
        <StatusMix counts={directory} />
      </td>
      <td class={`number ${failed > 0 ? 'bad' : ''}`}>{percent(failed)}</td>
    </tr>
  );
}

function rowsOf(directory: Directory, level: number, open: ReadonlySet<string>): Row[] {
  const below = open.has(directory.directory) ? directory.children.slice(0, MOST_CHILDREN) : [];
  return [{ directory, level }, ...below.flatMap((child) => rowsOf(child, level + 1, open))];
}

/** The directories above a directory, so that a link to it opens them. */
function ancestors(path: string): string[] {
  return path
    .split('/')
    .slice(1, -2)
    .map((_, place, names) => `/${names.slice(0, place + 1).join('/')}/`);
}
