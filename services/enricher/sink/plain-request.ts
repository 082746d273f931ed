import type { RawRequest } from '../../../shared/requests/raw-request.js';

/** A plain request in ingest's form, with some fields replaced. */
export function plainRequest(given: Partial<RawRequest> = {}): RawRequest {
  return {
    timestamp: 0,
    client_ip: '192.0.2.1',
    method: 'GET',
    host: '',
    target: '/',
    protocol: '',
    status: 200,
    bytes_sent: 0,
    time_taken_ms: null,
    user_agent: '',
    referrer: '',
    request_id: '',
    content_type: '',
    cache_status: '',
    source_country: '',
    source_asn: null,
    cdn_bot_category: '',
    ...given,
  };
}
