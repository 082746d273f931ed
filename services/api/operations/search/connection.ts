import {
  type SearchConnection,
  searchConnectionOf,
} from '../../../../shared/reads/search/search-connection.js';
import type { WebsiteContext } from '../../operation/operation.js';

/** The source whose rows answer for the website of the call; null: none is connected. */
export function connectionFor({ services, website }: WebsiteContext): SearchConnection | null {
  return searchConnectionOf(services.control.state(), website.id);
}
