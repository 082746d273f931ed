import type { JobRequest } from '../../../shared/jobs/job-request.js';
import type { Assignment } from './assignments.js';

/** A requested job that has not begun. */
export interface WaitingRequest extends JobRequest {
  /** The assignment of the partition with its record. After partitions were added, it may not be the website's. */
  readonly assignment: Assignment;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** To be called once. @param ran false: it is left to another replica */
  answer(ran: boolean): void;
}

/**
 * The requests that have not begun. Requests for the same job, website and details share one run, so their number is bounded. Holding back the log
 * instead would also delay the partition's next owner.
 */
export function createWaitingRequests(now: () => number) {
  const waiting = new Map<string, WaitingRequest & { readonly answers: ((ran: boolean) => void)[] }>();
  return {
    count: () => waiting.size,
    /** Resolves to the value of `answer`. */
    add({ kind, websiteId, details }: JobRequest, assignment: Assignment): Promise<boolean> {
      const key = `${assignment.partition} ${websiteId} ${kind} ${details}`;
      return new Promise((resolve) => {
        const same = waiting.get(key);
        if (same !== undefined) return void same.answers.push(resolve);
        const answers = [resolve];
        const answer = (ran: boolean) => {
          for (const each of answers) each(ran);
        };
        waiting.set(key, { kind, websiteId, details, assignment, since: now(), answers, answer });
      });
    },
    /** Visits each request, the oldest first. @param isTaken returns whether the request is finished; it then answers the request */
    removeWhere(isTaken: (request: WaitingRequest) => boolean): void {
      for (const [key, request] of waiting) if (isTaken(request)) waiting.delete(key);
    },
  };
}
