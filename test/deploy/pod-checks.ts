import { isDeepStrictEqual } from 'node:util';
import { type Check, ofKind, podOf, services, workloads } from './cross-checks.js';
import { type Document, nameOf } from './document.js';

/** Requirements of every pod: restricted, bounded, probed, drained. */

const POD_CONTEXT = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
const CONTAINER_CONTEXT = {
  runAsNonRoot: true,
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

export const podsAreRestricted: Check = (documents) =>
  workloads(documents).flatMap((workload) => {
    const pod = podOf(workload);
    const { runAsUser, runAsGroup, fsGroup: _, ...context } = pod.securityContext ?? {};
    const wrong: string[] = [];
    if (!(runAsUser > 0 && runAsGroup > 0)) wrong.push('may run as root');
    if (!isDeepStrictEqual(context, POD_CONTEXT)) wrong.push('security context of the pod');
    if (pod.automountServiceAccountToken !== false) wrong.push('mounts a token');
    const accounts = ofKind(documents, 'ServiceAccount').map(({ metadata }) => metadata.name);
    if (!accounts.includes(pod.serviceAccountName)) wrong.push(`no ServiceAccount ${pod.serviceAccountName}`);
    if (pod.hostNetwork || pod.hostPID || pod.hostIPC) wrong.push("shares the host's namespaces");
    for (const volume of pod.volumes ?? []) {
      if (volume.hostPath) wrong.push(`volume ${volume.name}: a path of the host`);
      if (volume.emptyDir && !volume.emptyDir.sizeLimit) wrong.push(`volume ${volume.name}: no sizeLimit`);
    }
    for (const { securityContext, volumeMounts = [], command } of pod.containers) {
      if (!isDeepStrictEqual(securityContext, CONTAINER_CONTEXT))
        wrong.push('security context of a container');
      if (!volumeMounts.some(({ mountPath }: any) => mountPath === '/tmp')) wrong.push('nowhere to write');
      // A command before the image's own entrypoint must end in that entrypoint.
      if (command !== undefined && command.at(-1) !== '/entrypoint.sh')
        wrong.push("its own command instead of the image's");
    }
    return wrong.map((problem) => `${nameOf(workload)}: ${problem}`);
  });

export const podsAreBounded: Check = (documents) =>
  workloads(documents).flatMap((workload) =>
    podOf(workload).containers.flatMap(({ resources: { requests = {}, limits = {} } = {} as any }: any) => {
      const bounds = [requests.cpu, requests.memory, limits.cpu, limits.memory];
      if (bounds.includes(undefined)) return [`${nameOf(workload)}: no bounds of CPU and memory`];
      // The server stores them as text, so a number would make every apply a change.
      if (bounds.some((bound) => typeof bound !== 'string'))
        return [`${nameOf(workload)}: a bound that is no text`];
      // Without enough memory on the node, pods above their memory request are killed.
      return requests.memory === limits.memory
        ? []
        : [`${nameOf(workload)}: memory request and limit differ`];
    }),
  );

const PROBES = ['startupProbe', 'livenessProbe', 'readinessProbe'];

export const podsAreProbed: Check = (documents) =>
  workloads(documents)
    .filter((workload) => workload.kind === 'StatefulSet' || services(documents).includes(workload))
    .flatMap((workload) =>
      podOf(workload).containers.flatMap((container: any) =>
        PROBES.flatMap((probe) => {
          const port = (container[probe]?.httpGet ?? container[probe]?.tcpSocket)?.port;
          if (port === undefined) return [`${nameOf(workload)}: no ${probe}`];
          const named = container.ports.some(({ name }: any) => name === port);
          return named ? [] : [`${nameOf(workload)}: ${probe} of no port`];
        }),
      ),
    );

export const podsSpread: Check = (documents) =>
  services(documents).flatMap((deployment) => {
    const keys = (podOf(deployment).topologySpreadConstraints ?? []).map(
      ({ topologyKey }: any) => topologyKey,
    );
    return ['topology.kubernetes.io/zone', 'kubernetes.io/hostname']
      .filter((key) => !keys.includes(key))
      .map((key) => `${nameOf(deployment)}: not spread over ${key}`);
  });

export const deploymentsAreEvictable: Check = (documents) =>
  services(documents)
    .filter(({ metadata }) => !documents.some((d) => nameOf(d) === `PodDisruptionBudget/${metadata.name}`))
    .map((deployment) => `${nameOf(deployment)}: no PodDisruptionBudget`);

/** Our own image, whose digest only its builder knows, and ClickHouse's, which is pinned by its tag. */
const PINNED_BY_TAG = /^(?:[a-z0-9.-]+\/)*loglane:\d|^clickhouse\/clickhouse-server:26\.7$/;
const DIGEST = /^[a-z0-9./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/;

/** A tag can be moved to another image; a digest can not. */
export const isPinned = (image: string): boolean => DIGEST.test(image) || PINNED_BY_TAG.test(image);

export const imagesArePinned: Check = (documents) =>
  workloads(documents).flatMap((workload) =>
    podOf(workload)
      .containers.filter(({ image }: any) => !isPinned(image))
      .map(({ image }: any) => `${nameOf(workload)}: ${image} is not pinned`),
  );

/** A Job can not be changed, so each version needs its own name. */
export const jobsAreNamedByVersion: Check = (documents) =>
  ofKind(documents, 'Job').flatMap((job) => {
    const tag: string = podOf(job).containers[0].image.split(':')[1] ?? '';
    const named = job.metadata.name.endsWith(`-${tag.replaceAll('.', '-')}`);
    return named ? [] : [`${nameOf(job)}: its name does not end with its image's ${tag}`];
  });

/** The VOLUMEs that the Dockerfiles of the images declare, and the path of persistent data in each image. */
const IMAGES = [
  {
    image: 'apache/kafka',
    volumes: ['/etc/kafka/secrets', '/var/lib/kafka/data', '/mnt/shared/config'],
    data: '/var/lib/kafka/data',
  },
  { image: 'clickhouse/clickhouse-server', volumes: ['/var/lib/clickhouse'], data: '/var/lib/clickhouse' },
];

/**
 * A declared volume without a mount lives as long as its container, and hides a mount above it. So data must be in one of our volumes,
 * without a declared volume in between.
 */
export function losesData(image: string, lasting: readonly string[], dataPath: string | undefined): boolean {
  const known = IMAGES.find((each) => image.startsWith(`${each.image}:`));
  if (known === undefined) return false;
  const within = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
  const data = dataPath ?? known.data;
  const nearest = (paths: readonly string[]) =>
    paths.filter((path) => within(data, path)).sort((a, b) => b.length - a.length)[0];
  return nearest(lasting) === undefined || nearest([...lasting, ...known.volumes]) !== nearest(lasting);
}

export const dataOutlivesContainers: Check = (documents) =>
  ofKind(documents, 'StatefulSet').flatMap((set) => {
    const claims = (set.spec.volumeClaimTemplates ?? []).map(({ metadata }: any) => metadata.name);
    return podOf(set).containers.flatMap(({ image, volumeMounts = [], env = [] }: any) => {
      const lasting = volumeMounts
        .filter(({ name }: any) => claims.includes(name))
        .map(({ mountPath }: any) => mountPath);
      const logs = env.find(({ name }: any) => name === 'KAFKA_LOG_DIRS')?.value;
      return losesData(image, lasting, logs) ? [`${nameOf(set)}: its data dies with its container`] : [];
    });
  });

const CPUS = (text: string) => (text.endsWith('m') ? Number(text.slice(0, -1)) / 1000 : Number(text));
const GIBIBYTES = (text: string) =>
  Number(text.slice(0, -2)) / ({ Gi: 1, Mi: 1024 }[text.slice(-2)] ?? Number.NaN);

/** Resource requests of all pods together, including a migration. */
export function requestsOf(documents: readonly Document[]): { cpus: number; gibibytes: number } {
  const sum = { cpus: 0, gibibytes: 0 };
  for (const workload of workloads(documents)) {
    for (const { resources } of podOf(workload).containers) {
      const replicas = workload.spec.replicas ?? 1;
      sum.cpus += replicas * CPUS(resources.requests.cpu);
      sum.gibibytes += replicas * GIBIBYTES(resources.requests.memory);
    }
  }
  return sum;
}
