// The import rules of this repository (ARCHITECTURE.md). `npm run lint` fails where one is broken.
const service = '^services/([^/]+)/';
module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
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
      from: { pathNot: '^(shared/clickhouse/embedded/|shared/event-log/lmdb/)' },
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
      from: { pathNot: '^shared/billing/stripe/' },
      to: { path: 'node_modules/stripe/' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: ['\\.d\\.m?ts$', '\\.test\\.ts$', 'main\\.ts$', '^deploy/build/main'] },
      to: {},
    },
    {
      name: 'no-dev-dependencies-in-the-program',
      severity: 'error',
      from: { path: '^(services|shared)/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['npm-dev'] },
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
