import {
  type SearchConnection,
  searchConnectionOf,
} from '../../../../shared/reads/search/search-connection.js';
import type { WebsiteContext } from '../../operation/operation.js';

/** The connected source of the call's website; null: none. */
export function connectionFor({ services, website }: WebsiteContext): SearchConnection | null {
  return searchConnectionOf(services.control.state(), website.id);
}
