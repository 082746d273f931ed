import { isDeepStrictEqual } from 'node:util';
import { type Check, ofKind, podOf, workloads } from './cross-checks.js';
import { nameOf } from './document.js';

/** What every pod must be: restricted, bounded, probed, drained. */

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
      if (command !== undefined) wrong.push("its own command instead of the image's");
    }
    return wrong.map((problem) => `${nameOf(workload)}: ${problem}`);
  });

export const podsAreBounded: Check = (documents) =>
  workloads(documents).flatMap((workload) =>
    podOf(workload).containers.flatMap(({ resources: { requests = {}, limits = {} } = {} as any }: any) => {
      const missing = [requests.cpu, requests.memory, limits.cpu, limits.memory].includes(undefined);
      if (missing) return [`${nameOf(workload)}: no bounds of CPU and memory`];
      // Memory beyond its request is what a pod is killed for when the node runs out.
      return requests.memory === limits.memory
        ? []
        : [`${nameOf(workload)}: memory request and limit differ`];
    }),
  );

const PROBES = ['startupProbe', 'livenessProbe', 'readinessProbe'];

export const podsAreProbed: Check = (documents) =>
  workloads(documents)
    .filter(({ kind }) => kind !== 'Job')
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
  ofKind(documents, 'Deployment').flatMap((deployment) => {
    const keys = (podOf(deployment).topologySpreadConstraints ?? []).map(
      ({ topologyKey }: any) => topologyKey,
    );
    return ['topology.kubernetes.io/zone', 'kubernetes.io/hostname']
      .filter((key) => !keys.includes(key))
      .map((key) => `${nameOf(deployment)}: not spread over ${key}`);
  });

export const deploymentsAreEvictable: Check = (documents) =>
  ofKind(documents, 'Deployment')
    .filter(({ metadata }) => !documents.some((d) => nameOf(d) === `PodDisruptionBudget/${metadata.name}`))
    .map((deployment) => `${nameOf(deployment)}: no PodDisruptionBudget`);

export const imagesArePinned: Check = (documents) =>
  workloads(documents).flatMap((workload) =>
    podOf(workload).containers.flatMap(({ image }: any) =>
      /[:@]/.test(image) && !image.endsWith(':latest')
        ? []
        : [`${nameOf(workload)}: ${image} has no version`],
    ),
  );

/** A Job can't be changed, so that of each version needs a name of its own. */
export const jobsAreNamedByVersion: Check = (documents) =>
  ofKind(documents, 'Job').flatMap((job) => {
    const tag: string = podOf(job).containers[0].image.split(':')[1] ?? '';
    const named = job.metadata.name.endsWith(`-${tag.replaceAll('.', '-')}`);
    return named ? [] : [`${nameOf(job)}: its name does not end with its image's ${tag}`];
  });
