import type { RawRequest } from '../raw-request.js';
import type { TextName } from './request-columns.js';

/** Accepts the text of the next row. */
interface TextTaker {
  put(text: string): void;
}

/** Passes the request's text to each column. Field by field: a loop over the names costs several times as much. */
export function putTexts(columns: Readonly<Record<TextName, TextTaker>>, request: RawRequest): void {
  columns.client_ip.put(request.client_ip);
  columns.method.put(request.method);
  columns.host.put(request.host);
  columns.target.put(request.target);
  columns.protocol.put(request.protocol);
  columns.user_agent.put(request.user_agent);
  columns.referrer.put(request.referrer);
  columns.request_id.put(request.request_id);
  columns.content_type.put(request.content_type);
  columns.cache_status.put(request.cache_status);
  columns.source_country.put(request.source_country);
  columns.cdn_bot_category.put(request.cdn_bot_category);
}
