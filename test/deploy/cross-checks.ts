import { type Document, nameOf } from './document.js';

/** Checks across objects of one rendered overlay, which a schema can not express. Each returns its problems. */
export type Check = (documents: readonly Document[]) => string[];

const WORKLOADS = new Set(['Deployment', 'StatefulSet', 'Job']);

export const workloads = (documents: readonly Document[]) =>
  documents.filter(({ kind }) => WORKLOADS.has(kind));
export const ofKind = (documents: readonly Document[], kind: string) =>
  documents.filter((document) => document.kind === kind);
/** Deployments that are called or consume. The operator's (admin) is left out: it has no replica until it is needed. */
export const services = (documents: readonly Document[]) =>
  ofKind(documents, 'Deployment').filter((deployment) =>
    podOf(deployment).containers[0].args?.[0]?.startsWith('dist/services/'),
  );
export const podOf = (workload: Document): any => workload.spec.template.spec;
const podLabels = (workload: Document): Record<string, string> =>
  workload.spec.template.metadata?.labels ?? {};

const matches = (selector: Record<string, string> = {}, labels: Record<string, string> = {}) =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

const portsOf = (workload: Document): any[] =>
  podOf(workload).containers.flatMap(({ ports = [] }: any) => ports);

const hasPort = (workload: Document, port: string | number) =>
  portsOf(workload).some(({ name, containerPort }) => port === name || port === containerPort);

export const selectorsMatchPods: Check = (documents) => {
  const problems = workloads(documents)
    .filter(({ kind, spec }) => kind !== 'Job' && !spec.selector?.matchLabels)
    .map((workload) => `${nameOf(workload)}: no selector`);
  for (const workload of workloads(documents)) {
    if (!matches(workload.spec.selector?.matchLabels, podLabels(workload)))
      problems.push(`${nameOf(workload)}: its selector misses its pods`);
  }
  for (const document of documents) {
    const selector =
      document.kind === 'Service' ? document.spec.selector : document.spec?.selector?.matchLabels;
    if (!['Service', 'PodDisruptionBudget'].includes(document.kind)) continue;
    const found = workloads(documents).filter((workload) => matches(selector, podLabels(workload)));
    if (found.length !== 1) problems.push(`${nameOf(document)}: selects ${found.length} workloads`);
  }
  return problems;
};

export const portsExist: Check = (documents) => {
  const problems: string[] = [];
  for (const service of ofKind(documents, 'Service')) {
    const workload = workloads(documents).find((each) => matches(service.spec.selector, podLabels(each)));
    for (const { targetPort } of service.spec.ports) {
      if (!workload || !hasPort(workload, targetPort))
        problems.push(`${nameOf(service)}: no port ${targetPort}`);
    }
  }
  for (const ingress of ofKind(documents, 'Ingress')) {
    for (const { backend } of ingress.spec.rules.flatMap(({ http }: any) => http.paths)) {
      const service = ofKind(documents, 'Service').find(
        ({ metadata }) => metadata.name === backend.service.name,
      );
      if (!service?.spec.ports.some(({ name }: any) => name === backend.service.port.name))
        problems.push(`${nameOf(ingress)}: no Service ${backend.service.name} with that port`);
    }
  }
  for (const monitor of ofKind(documents, 'ServiceMonitor')) {
    if (monitor.metadata.labels?.release === undefined)
      problems.push(`${nameOf(monitor)}: no label that the common stack selects by`);
    const found = ofKind(documents, 'Service').filter(({ metadata }) =>
      matches(monitor.spec.selector.matchLabels, metadata.labels),
    );
    const scraped = (service: Document) =>
      monitor.spec.endpoints.every(({ port }: any) =>
        service.spec.ports.some(({ name }: any) => name === port),
      );
    if (found.length < services(documents).length || !found.every(scraped))
      problems.push(`${nameOf(monitor)}: a Deployment's Service is not scraped`);
  }
  return problems;
};

export const scalersHaveTargets: Check = (documents) => {
  const problems: string[] = [];
  const scaled = new Map<string, string>();
  for (const scaler of documents) {
    if (!['HorizontalPodAutoscaler', 'ScaledObject'].includes(scaler.kind)) continue;
    const { kind = 'Deployment', name } = scaler.spec.scaleTargetRef;
    const target = `${kind}/${name}`;
    if (!documents.some((document) => nameOf(document) === target))
      problems.push(`${nameOf(scaler)}: no ${target}`);
    if (scaled.has(target)) problems.push(`${nameOf(scaler)}: ${scaled.get(target)} scales ${target} too`);
    scaled.set(target, nameOf(scaler));
    const least = scaler.spec.minReplicas ?? scaler.spec.minReplicaCount;
    const most = scaler.spec.maxReplicas ?? scaler.spec.maxReplicaCount;
    if (!(least >= 1 && least <= most)) problems.push(`${nameOf(scaler)}: from ${least} to ${most}`);
  }
  for (const { kind, spec, metadata } of documents) {
    if (kind === 'Deployment' && spec.replicas !== undefined && scaled.has(`Deployment/${metadata.name}`))
      problems.push(`Deployment/${metadata.name}: replicas would be set back at each apply`);
  }
  return problems;
};

/** The settings that all services share. */
export const settingsOf = (documents: readonly Document[]): Record<string, string> =>
  ofKind(documents, 'ConfigMap').find(({ metadata }) => metadata.name.startsWith('loglane-settings'))?.data ??
  {};

/** KEDA scales by the consumer lag of the enricher's group, with the names and limits of its code and settings. */
export function followsEnricher(names: { topic: string; group: string }): Check {
  return (documents) =>
    ofKind(documents, 'ScaledObject').flatMap((scaler) => {
      const settings = settingsOf(documents);
      const partitions = settings.EVENT_LOG_PARTITIONS;
      const prefix = settings.KAFKA_TOPIC_PREFIX ?? '';
      const wanted = {
        topic: prefix + names.topic,
        consumerGroup: prefix + names.group,
        offsetResetPolicy: 'earliest',
        bootstrapServersFromEnv: 'KAFKA_BROKERS',
      };
      const { metadata, authenticationRef } = scaler.spec.triggers[0];
      const problems = Object.entries(wanted)
        .filter(([name, value]) => metadata[name] !== value)
        .map(([name, value]) => `${nameOf(scaler)}: ${name} is not ${value}`);
      if (metadata.version === undefined) problems.push(`${nameOf(scaler)}: no version`);
      if (partitions !== undefined && scaler.spec.maxReplicaCount > Number(partitions))
        problems.push(`${nameOf(scaler)}: more replicas than the ${partitions} partitions`);
      const login = `TriggerAuthentication/${authenticationRef?.name}`;
      if (authenticationRef && !documents.some((document) => nameOf(document) === login))
        problems.push(`${nameOf(scaler)}: no ${login}`);
      if ((settings.KAFKA_SSL === 'true') !== (metadata.tls === 'enable'))
        problems.push(`${nameOf(scaler)}: TLS not as in KAFKA_SSL`);
      if ((settings.KAFKA_SASL_MECHANISM !== undefined) !== (metadata.sasl !== undefined))
        problems.push(`${nameOf(scaler)}: SASL not as in KAFKA_SASL_MECHANISM`);
      return problems;
    });
}

/** Pods that other programs put into the namespace, and their ports. */
const OTHERS = [{ labels: { 'acme.cert-manager.io/http01-solver': 'true' }, port: 8089 }];

const isForOthers = ({ podSelector, ingress, egress }: Document['spec']) =>
  OTHERS.some(
    ({ labels, port }) =>
      matches(labels, podSelector.matchLabels) &&
      egress === undefined &&
      ingress?.every(
        ({ from, ports }: any) => from?.length > 0 && ports?.every((each: any) => each.port === port),
      ),
  );

/** Metrics have their own port. Only the monitoring can reach it, and the monitoring can reach no other port. */
export const figuresAreApart: Check = (documents) => {
  const MONITORING = 'monitoring';
  return ofKind(documents, 'NetworkPolicy').flatMap((policy) =>
    (policy.spec.ingress ?? []).flatMap(({ from = [], ports = [] }: any) => {
      const opensFigures = ports.some(({ port }: any) => port === 'metrics' || port === 9464);
      const others = from.filter(
        ({ namespaceSelector }: any) =>
          namespaceSelector?.matchLabels?.['kubernetes.io/metadata.name'] !== MONITORING,
      );
      if (opensFigures) return others.length > 0 ? [`${nameOf(policy)}: figures for others`] : [];
      return others.length < from.length
        ? [`${nameOf(policy)}: the monitoring gets to more than figures`]
        : [];
    }),
  );
};

/** If TLS certificates come from HTTP-01, the challenges reach cert-manager's own pods. */
export const challengesAreAnswered: Check = (documents) => {
  const asks = ofKind(documents, 'Ingress').some(
    ({ metadata }) => metadata.annotations?.['cert-manager.io/cluster-issuer'] !== undefined,
  );
  const opened = ofKind(documents, 'NetworkPolicy').some(({ spec }) => isForOthers(spec));
  return asks && !opened ? ['Ingress: cert-manager may not answer challenges'] : [];
};

/** Pods are closed in both directions. If both pods are in the namespace, a connection is allowed on both sides. */
export const networkIsClosed: Check = (documents) => {
  const problems: string[] = [];
  const policies = ofKind(documents, 'NetworkPolicy');
  const selects = (policy: Document, workload: Document) =>
    matches(policy.spec.podSelector.matchLabels, podLabels(workload));
  for (const workload of workloads(documents)) {
    for (const direction of ['Ingress', 'Egress']) {
      if (
        !policies.some((policy) => selects(policy, workload) && policy.spec.policyTypes.includes(direction))
      )
        problems.push(`${nameOf(workload)}: no NetworkPolicy for ${direction}`);
    }
  }
  for (const policy of policies.filter(({ spec }) => !isForOthers(spec))) {
    const chosen = workloads(documents).filter((workload) => selects(policy, workload));
    if (chosen.length === 0) problems.push(`${nameOf(policy)}: selects no pod`);
    for (const rule of [...(policy.spec.ingress ?? []), ...(policy.spec.egress ?? [])]) {
      if (!rule.ports?.length || !(rule.from ?? rule.to)?.length)
        problems.push(`${nameOf(policy)}: a rule for everything or everyone`);
    }
    for (const { ports = [] } of policy.spec.ingress ?? []) {
      const missing = ports.filter(
        ({ port }: any) => !chosen.some((workload: Document) => hasPort(workload, port)),
      );
      for (const { port } of missing) problems.push(`${nameOf(policy)}: no pod has port ${port}`);
    }
    for (const { to = [], ports = [] } of policy.spec.egress ?? []) {
      const here = to.filter((peer: any) => peer.podSelector && !peer.namespaceSelector);
      for (const { podSelector } of here) {
        const targets = workloads(documents).filter((workload) =>
          matches(podSelector.matchLabels, podLabels(workload)),
        );
        if (!ports.every(({ port }: any) => targets.some((target) => hasPort(target, port))))
          problems.push(`${nameOf(policy)}: leads to no pod with that port`);
      }
    }
  }
  return problems;
};
