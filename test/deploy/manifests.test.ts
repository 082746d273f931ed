import { describe, expect, test } from 'vitest';
import { ENRICHER_GROUP } from '../../shared/event-log/consumer-groups.js';
import { topics } from '../../shared/event-log/topics.js';
import * as cross from './cross-checks.js';
import type { Document } from './document.js';
import { checkTypes, validateModels } from './models.js';
import * as pods from './pod-checks.js';
import { build, findKustomize, render } from './render.js';
import * as settings from './settings.js';

const ROOT = 'deploy/kubernetes';
const FOLDERS = ['base', 'overlays/small', 'overlays/production'];
/** Checks that only overlays can pass, because the base has no stores. */
const OF_OVERLAYS = [
  'variables are known and their values parse',
  'services listen where they are called',
  'the stores can be reached by their users alone',
  'addresses are the operator’s to set',
];
const production = () => render(`${ROOT}/overlays/production`);

const CHECKS: Record<string, cross.Check> = {
  'fields are ones that Kubernetes knows': checkTypes,
  'selectors meet the pods of one workload': cross.selectorsMatchPods,
  'Services, Ingresses and ServiceMonitors name ports that exist': cross.portsExist,
  'scalers have a target of their own': cross.scalersHaveTargets,
  'the enricher is scaled by the lag of its own group': cross.followsEnricher({
    topic: topics['requests.raw'].name,
    group: ENRICHER_GROUP,
  }),
  'NetworkPolicies close every pod both ways': cross.networkIsClosed,
  'pods are restricted': pods.podsAreRestricted,
  'pods have bounds': pods.podsAreBounded,
  'pods that stay up are probed': pods.podsAreProbed,
  'pods have longer to leave than the program takes': settings.podsMayDrain,
  'pods spread over zones and nodes': pods.podsSpread,
  'Deployments have a PodDisruptionBudget': pods.deploymentsAreEvictable,
  'images are pinned': pods.imagesArePinned,
  'data outlives its container': pods.dataOutlivesContainers,
  'Jobs are named by version': pods.jobsAreNamedByVersion,
  'variables are known and their values parse': settings.settingsParse,
  'services listen where they are called': settings.servicesAreSet,
  'the stores can be reached by their users alone': settings.storesAreReachable,
  'secrets are referenced, not contained': settings.secretsAreElsewhere,
  'each pod reads the Secret of its own name alone': settings.secretsAreApart,
  'addresses are the operator’s to set': settings.addressesAreTheOperators,
  'Jobs come out the same whatever is set': settings.jobsKeepTheirSettings,
  'challenges for certificates are answered': cross.challengesAreAnswered,
  'figures are for the monitoring alone': cross.figuresAreApart,
};

const kustomize = findKustomize();

describe.each(FOLDERS)('%s', (folder) => {
  const documents = render(`${ROOT}/${folder}`);

  test('every object is valid', async () => {
    expect(await validateModels(documents)).toEqual([]);
  });

  const checks = Object.entries(CHECKS).filter(([name]) => folder !== 'base' || !OF_OVERLAYS.includes(name));
  test.each(checks)('%s', (_, check) => {
    expect(check(documents)).toEqual([]);
  });

  test.runIf(kustomize)(
    `is rendered here as by ${kustomize?.join(' ') ?? 'kustomize, which is not on PATH'}`,
    () => {
      expect(sorted(documents)).toEqual(sorted(build(kustomize!, `${ROOT}/${folder}`)));
    },
  );
});

/** Ignores the order, and the hash in the names of generated ConfigMaps. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value === 'string')
    return value.replace(
      /^(loglane-settings|clickhouse-users|clickhouse-tables|clickhouse-start)-[a-z0-9]{10}$/,
      '$1',
    );
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]));
}

describe('a defect is found', () => {
  const find = (documents: Document[], kind: string, name?: string): any =>
    documents.find((each) => each.kind === kind && (name === undefined || each.metadata.name === name))!;
  const api = (documents: Document[]) => find(documents, 'Deployment', 'api').spec.template;
  const container = (documents: Document[]) => api(documents).spec.containers[0];
  const shared = (documents: Document[]) => cross.settingsOf(documents);
  const port = (documents: Document[], wanted: string) =>
    container(documents).ports.find(({ name }: any) => name === wanted);
  const trigger = (documents: Document[]) => find(documents, 'ScaledObject').spec.triggers[0].metadata;
  const drop = (documents: Document[], gone: Document) => documents.splice(documents.indexOf(gone), 1);

  // [the check, the defect]: every check of the list is here.
  const defects: [keyof typeof CHECKS, (documents: Document[]) => unknown][] = [
    [
      'fields are ones that Kubernetes knows',
      (all) => Object.assign(container(all), { readynessProbe: { httpGet: { port: 'http' } } }),
    ],
    [
      'selectors meet the pods of one workload',
      (all) => (find(all, 'Service', 'api').spec.selector = { a: 'b' }),
    ],
    ['selectors meet the pods of one workload', (all) => (api(all).metadata.labels = {})],
    [
      'Services, Ingresses and ServiceMonitors name ports that exist',
      (all) => (find(all, 'Service', 'api').spec.ports[0].targetPort = 'web'),
    ],
    [
      'Services, Ingresses and ServiceMonitors name ports that exist',
      (all) => drop(all, find(all, 'Service', 'enricher')),
    ],
    [
      'Services, Ingresses and ServiceMonitors name ports that exist',
      (all) => (find(all, 'ServiceMonitor').spec.endpoints[0].port = 'web'),
    ],
    [
      'Services, Ingresses and ServiceMonitors name ports that exist',
      (all) => delete find(all, 'ServiceMonitor').metadata.labels,
    ],
    ['scalers have a target of their own', (all) => drop(all, find(all, 'Deployment', 'enricher'))],
    [
      'scalers have a target of their own',
      (all) => (find(all, 'HorizontalPodAutoscaler', 'api').spec.scaleTargetRef.name = 'ingest'),
    ],
    ['scalers have a target of their own', (all) => (find(all, 'Deployment', 'api').spec.replicas = 3)],
    [
      'the enricher is scaled by the lag of its own group',
      (all) => (trigger(all).consumerGroup = 'enrichers'),
    ],
    ['the enricher is scaled by the lag of its own group', (all) => delete trigger(all).tls],
    [
      'the enricher is scaled by the lag of its own group',
      (all) => (find(all, 'ScaledObject').spec.maxReplicaCount = 13),
    ],
    [
      'NetworkPolicies close every pod both ways',
      (all) => (find(all, 'NetworkPolicy', 'default-deny').spec.podSelector = { matchLabels: { a: 'b' } }),
    ],
    [
      'NetworkPolicies close every pod both ways',
      (all) => delete find(all, 'NetworkPolicy', 'public').spec.ingress[0].from,
    ],
    ['pods are restricted', (all) => (container(all).securityContext.readOnlyRootFilesystem = false)],
    ['pods are restricted', (all) => (container(all).securityContext.privileged = true)],
    ['pods are restricted', (all) => (api(all).spec.securityContext.runAsUser = 0)],
    ['pods have bounds', (all) => delete container(all).resources.limits.memory],
    ['pods have bounds', (all) => (container(all).resources.limits.cpu = 2)],
    ['pods that stay up are probed', (all) => delete container(all).livenessProbe],
    ['pods that stay up are probed', (all) => (container(all).readinessProbe.httpGet.port = 'web')],
    [
      'pods have longer to leave than the program takes',
      (all) => (api(all).spec.terminationGracePeriodSeconds = 25),
    ],
    [
      'pods have longer to leave than the program takes',
      (all) => (shared(all).SHUTDOWN_TIMEOUT_MS = '60000'),
    ],
    ['pods spread over zones and nodes', (all) => api(all).spec.topologySpreadConstraints.pop()],
    [
      'Deployments have a PodDisruptionBudget',
      (all) => drop(all, find(all, 'PodDisruptionBudget', 'ingest')),
    ],
    ['images are pinned', (all) => (container(all).image = 'loglane:latest')],
    ['images are pinned', (all) => (container(all).image = 'apache/kafka:4.1.0')],
    [
      'Jobs are named by version',
      (all) => (find(all, 'Job').spec.template.spec.containers[0].image = 'loglane:9'),
    ],
    ['variables are known and their values parse', (all) => (shared(all).KAFKA_BROKER = 'kafka:9092')],
    ['variables are known and their values parse', (all) => (shared(all).KAFKA_SSL = 'yes')],
    [
      'variables are known and their values parse',
      (all) => (container(all).env = [{ name: 'LOGLEVEL', value: 'info' }]),
    ],
    ['services listen where they are called', (all) => (shared(all).HOST = '127.0.0.1')],
    ['services listen where they are called', (all) => (port(all, 'http').containerPort = 80)],
    ['services listen where they are called', (all) => (shared(all).METRICS_PORT = '9465')],
    [
      'the stores can be reached by their users alone',
      (all) => delete api(all).metadata.labels['loglane/uses-clickhouse'],
    ],
    [
      'the stores can be reached by their users alone',
      (all) => drop(all, find(all, 'NetworkPolicy', 'to-kafka')),
    ],
    [
      'secrets are referenced, not contained',
      (all) => all.push({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'loglane-secrets' } }),
    ],
    [
      'secrets are referenced, not contained',
      (all) => (container(all).env = [{ name: 'KAFKA_SASL_PASSWORD', value: 'x' }]),
    ],
    [
      'each pod reads the Secret of its own name alone',
      (all) => (container(all).envFrom[1].secretRef.name = 'loglane-admin'),
    ],
    ['each pod reads the Secret of its own name alone', (all) => container(all).envFrom.pop()],
    [
      'addresses are the operator’s to set',
      (all) => (shared(all).PUBLIC_API_URL = 'https://api.loglane.example'),
    ],
    ['addresses are the operator’s to set', (all) => delete shared(all).PUBLIC_INGEST_URL],
    [
      'addresses are the operator’s to set',
      (all) => (find(all, 'Ingress', 'api').spec.rules[0].host = 'api.elsewhere.invalid'),
    ],
    [
      'Jobs come out the same whatever is set',
      (all) =>
        (find(all, 'Job').spec.template.spec.containers[0].envFrom[0].configMapRef.name =
          container(all).envFrom[0].configMapRef.name),
    ],
    [
      'Jobs come out the same whatever is set',
      (all) => (find(all, 'Job').spec.template.spec.restartPolicy = 'OnFailure'),
    ],
    [
      'figures are for the monitoring alone',
      (all) => find(all, 'NetworkPolicy', 'public').spec.ingress[0].ports.push({ port: 'metrics' }),
    ],
    [
      'figures are for the monitoring alone',
      (all) => (find(all, 'NetworkPolicy', 'metrics').spec.ingress[0].ports[0].port = 'http'),
    ],
    [
      'challenges for certificates are answered',
      (all) => drop(all, find(all, 'NetworkPolicy', 'acme-solver')),
    ],
    [
      'data outlives its container',
      (all) =>
        all.push(
          ...render(`${ROOT}/overlays/small`)
            .filter(({ kind, metadata }) => kind === 'StatefulSet' && metadata.name === 'kafka')
            .map((kafka) => {
              const mounts: any[] = kafka.spec.template.spec.containers[0].volumeMounts;
              Object.assign(
                mounts.find(({ name }) => name === 'data'),
                { mountPath: '/var/lib/kafka', subPath: undefined },
              );
              return kafka;
            }),
        ),
    ],
  ];

  test.each(defects)('%s (%#)', (name, breakIt) => {
    const documents = production();
    breakIt(documents);
    expect(CHECKS[name]!(documents)).not.toEqual([]);
  });

  test('by each check', () => {
    expect(new Set(defects.map(([name]) => name))).toEqual(new Set(Object.keys(CHECKS)));
  });

  test('an object that its model refuses', async () => {
    const documents = production();
    find(documents, 'Deployment', 'api').spec.replicas = 'three';
    expect(await validateModels(documents)).not.toEqual([]);
  });
});
