// The import rules of this repository (ARCHITECTURE.md). `npm run lint` fails where one is broken.
const service = '^services/([^/]+)/';

/** Folders of shared/, lowest first. A folder imports from its own line and from lines above it, never from lines below it. */
const SHARED_LAYERS = [
  ['[^/]+\\.ts$', 'bounded-server', 'byte-streams', 'logging', 'pacing', 'urls'],
  ['event-log', 'fetch', 'schemas', 'sitemaps', 'store'],
  ['alerts', 'changes', 'detection', 'jobs', 'personal-data', 'requests', 'robots', 'uploads'],
  ['control', 'crawlers', 'location'],
  ['connections', 'files', 'platforms', 'service', 'usage'],
  ['reads', 'site-files'],
];

const folders = (layers) => `^shared/(${layers.flat().join('|')})`;

const sharedLayers = SHARED_LAYERS.slice(0, -1).map((layer, index) => ({
  name: `shared-layer-${index + 1}-imports-no-higher-layer`,
  severity: 'error',
  from: { path: folders([layer]) },
  to: { path: folders(SHARED_LAYERS.slice(index + 1)) },
}));

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-folders-that-import-each-other',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
    ...sharedLayers,
    {
      name: 'every-folder-of-shared-has-a-layer',
      severity: 'error',
      from: { path: '^shared/', pathNot: folders(SHARED_LAYERS) },
      to: {},
    },
    {
      name: 'a-service-imports-no-other-service',
      severity: 'error',
      from: { path: service },
      to: { path: service, pathNot: '^services/$1/' },
    },
    {
      name: 'shared-imports-no-service',
      severity: 'error',
      from: { path: '^shared/' },
      to: { path: '^(services|deploy|test)/' },
    },
    {
      name: 'services-import-no-deployment',
      severity: 'error',
      from: { path: '^services/' },
      to: { path: '^(deploy|test)/' },
    },
    {
      name: 'only-standalone-knows-the-services',
      severity: 'error',
      from: { path: '^deploy/', pathNot: '^deploy/standalone/' },
      to: { path: '^services/' },
    },
    {
      name: 'embedded-engines-stay-in-their-folders',
      comment: 'chdb and lmdb are optional packages: only the embedded forms load them.',
      severity: 'error',
      from: { pathNot: '^deploy/embedded/' },
      to: { path: 'node_modules/(chdb|lmdb)/' },
    },
    {
      name: 'kafka-stays-in-its-folder',
      severity: 'error',
      from: { pathNot: '^shared/event-log/kafka/' },
      to: { path: 'node_modules/kafkajs/' },
    },
    {
      name: 'stripe-stays-in-its-folder',
      severity: 'error',
      from: { pathNot: '^services/api/billing/stripe/' },
      to: { path: 'node_modules/stripe/' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [
          '\\.d\\.m?ts$',
          '\\.test\\.ts$',
          'main\\.ts$',
          '^deploy/build/main',
          '^deploy/cli/package/client\\.ts$',
        ],
      },
      to: {},
    },
    {
      name: 'no-dev-dependencies-in-the-program',
      severity: 'error',
      from: { path: '^(services|shared)/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], pathNot: '^node_modules/@types/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.test\\.ts$' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
