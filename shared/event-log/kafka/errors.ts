/** Classifies kafkajs's errors. They are nested; one of the causes has the protocol's error code. */

interface KafkaFailure {
  readonly name?: string;
  /** Name of the protocol's error code. */
  readonly type?: string;
  readonly cause?: unknown;
  readonly originalError?: unknown;
}

/** The group continues without this member: its requests are refused. */
const FENCED = ['ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID', 'FENCED_INSTANCE_ID', 'FENCED_MEMBER_EPOCH'];

/** Permanent: an operator must act. */
const FATAL = [
  'TOPIC_AUTHORIZATION_FAILED',
  'GROUP_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
  'INVALID_GROUP_ID',
  'INCONSISTENT_GROUP_PROTOCOL',
  'INVALID_SESSION_TIMEOUT',
  'UNSUPPORTED_VERSION',
];
const FATAL_NAMES = ['KafkaJSNotImplemented', 'KafkaJSSASLAuthenticationError'];

export function isRebalance(error: unknown): boolean {
  return some(error, ({ type }) => type === 'REBALANCE_IN_PROGRESS');
}

export function isFenced(error: unknown): boolean {
  return some(error, ({ type }) => type !== undefined && FENCED.includes(type));
}

export function isUnknownMember(error: unknown): boolean {
  return some(error, ({ type }) => type === 'UNKNOWN_MEMBER_ID');
}

export function isNotLedYet(error: unknown): boolean {
  return some(error, ({ type }) => type === 'UNKNOWN_TOPIC_OR_PARTITION' || type === 'LEADER_NOT_AVAILABLE');
}

export function isNotPermitted(error: unknown): boolean {
  return some(error, ({ type }) => type?.endsWith('_AUTHORIZATION_FAILED') === true);
}

export function isFatal(error: unknown): boolean {
  return some(
    error,
    ({ type, name }) =>
      (type !== undefined && FATAL.includes(type)) || (name !== undefined && FATAL_NAMES.includes(name)),
  );
}

/** The error with that name among the causes. */
export function causeNamed<T>(error: unknown, name: string): (KafkaFailure & T) | undefined {
  return chain(error).find((one) => one.name === name) as (KafkaFailure & T) | undefined;
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function some(error: unknown, test: (failure: KafkaFailure) => boolean): boolean {
  return chain(error).some(test);
}

function chain(error: unknown): KafkaFailure[] {
  const found: KafkaFailure[] = [];
  let at = error;
  while (typeof at === 'object' && at !== null && !found.includes(at)) {
    found.push(at);
    const { cause, originalError } = at as KafkaFailure;
    at = cause ?? originalError;
  }
  return found;
}
