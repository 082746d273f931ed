import { useAddress } from '../address.js';
import { short } from '../format.js';

/** Links to the page before and the page after. The page is in the address, under `name`. */
export function Pager({
  page,
  pages,
  total,
  name = 'page',
  label = 'Pages of the list',
}: {
  readonly page: number;
  readonly pages: number;
  /** Rows of the whole list. */
  readonly total?: number;
  readonly name?: string;
  readonly label?: string;
}) {
  const { address, link } = useAddress();
  if (pages <= 1) return null;
  const to = (target: number) => link({ rest: { ...address.rest, [name]: String(target) } });
  return (
    <nav class="pager" aria-label={label}>
      {page > 1 ? <a href={to(page - 1)}>← previous</a> : <span />}
      <span>
        page {short(page)} of {short(pages)}
        {total === undefined ? '' : `, ${short(total)} rows`}
      </span>
      {page < pages ? <a href={to(page + 1)}>next →</a> : <span />}
    </nav>
  );
}

const LAST_PAGE = 1_000_000;

/** A page of the address: a whole number from 1; 1 if it is missing or none. */
export function pageOf(text: string | undefined): number {
  const page = Number(text);
  return Number.isInteger(page) && page >= 1 && page <= LAST_PAGE ? page : 1;
}
