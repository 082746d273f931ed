import type { JobRequest } from '../../../shared/jobs/job-request.js';
import type { Assignment } from './assignments.js';

/** A job that was requested and has not begun. */
export interface WaitingRequest extends JobRequest {
  /** Of the partition that its record lies in. Once partitions were added that need not be the website's. */
  readonly assignment: Assignment;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** To be called once. @param ran false: it is left to another replica. */
  answer(ran: boolean): void;
}

/**
 * The requests that have not begun. Those for a job that waits already, with the same details, are answered by the same run, so there are no more than differ
 * in anything: holding back the log instead would hold back the partition's next owner, too.
 */
export function createWaitingRequests(now: () => number) {
  const waiting = new Map<string, WaitingRequest & { readonly answers: ((ran: boolean) => void)[] }>();
  return {
    count: () => waiting.size,
    /** Resolves when it was answered, to what it was answered with. */
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
    /** Looks at each, the oldest first. @param isTaken says whether it waits no longer: then the callee answers it. */
    removeWhere(isTaken: (request: WaitingRequest) => boolean): void {
      for (const [key, request] of waiting) if (isTaken(request)) waiting.delete(key);
    },
  };
}
