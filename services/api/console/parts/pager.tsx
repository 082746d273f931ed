import { useAddress } from '../address.js';

/** Links to the page before and the page after. The page is in the address. */
export function Pager({
  page,
  pages,
  label,
}: {
  readonly page: number;
  readonly pages: number;
  readonly label: string;
}) {
  const { address, link } = useAddress();
  if (pages <= 1) return null;
  const to = (target: number) => link({ rest: { ...address.rest, page: String(target) } });
  return (
    <nav class="pager" aria-label={label}>
      {page > 1 ? <a href={to(page - 1)}>← before</a> : <span />}
      <span>
        page {page.toLocaleString()} of {pages.toLocaleString()}
      </span>
      {page < pages ? <a href={to(page + 1)}>next →</a> : <span />}
    </nav>
  );
}

/** The page of the address: a whole number from 1. */
export function pageOf(rest: Readonly<Record<string, string>>): number {
  const page = Number(rest.page ?? 1);
  return Number.isInteger(page) && page >= 1 && page <= 1_000_000 ? page : 1;
}
