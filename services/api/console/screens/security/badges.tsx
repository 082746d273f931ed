import { words } from '../../format.js';

/** Reasons for a recommendation. */
export function Badges({ names }: { readonly names: readonly string[] }) {
  return (
    <span class="badges">
      {names.map((name) => (
        <span key={name} class="badge">
          {words(name)}
        </span>
      ))}
    </span>
  );
}
