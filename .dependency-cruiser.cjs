/**
 * Who may import whom: data flows one way, specification → plan → exchange → judgement → report.
 * `npm run check:imports` holds the sources to it.
 */
const ROOMS = ['spec', 'reference', 'conformance', 'reports', 'pages', 'prove', 'cli', 'tools']
const TEST = '\\.test\\.ts$|/fixtures/|^tests/'

/** What a room may import of the others; everything else is forbidden. */
const MAY_IMPORT = {
  spec: [],
  pages: ['spec', 'reports', 'conformance'],
  reference: ['spec/(model|generated)', 'pages/(guard|control)'],
  reports: ['spec'],
  conformance: ['spec', 'reports/model', 'reference'],
  prove: ['spec', 'reference', 'conformance', 'reports'],
}

/** The layers of a room, the lowest first: a file imports from its own layer and from those below it. */
const LAYERS = {
  reference: [
    ['http'],
    ['account', 'policy', 'refusal', 'issued-token', 'refresh-tokens', 'signed-token', 'token-response'],
    ['registration-behaviour', 'behaviour'],
    ['control-error', 'clock', 'log', 'input'],
    ['external-login'],
    ['store'],
    ['service', 'cors'],
    ['tls', 'options'],
    ['routes'],
    ['connection'],
    ['diagnosis'],
    ['tenant', 'provider'],
    ['control'],
    ['server'],
    ['embedded'],
  ],
  conformance: [
    ['exchange'],
    ['target'],
    ['generators'],
    ['evidence'],
    ['judge'],
    ['plan'],
    ['drivers'],
    ['properties'],
    ['assess'],
    ['runners'],
  ],
}

const inLayers = (room, layers) => `^${room}/(${layers.flat().join('|')})(/|\\.ts$)`
const outside = (room, mayImport) => [
  `^(${ROOMS.filter((other) => other !== room).join('|')})/`,
  ...(mayImport.length === 0 ? [] : [`^(${mayImport.join('|')})/`]),
]

const rooms = Object.entries(MAY_IMPORT).map(([room, mayImport]) => {
  const [path, pathNot] = outside(room, mayImport)
  return {
    name: `${room}-imports-${mayImport.length === 0 ? 'nothing' : 'only-what-it-may'}`,
    severity: 'error',
    from: { path: `^${room}/`, pathNot: TEST },
    to: { path, ...(pathNot === undefined ? {} : { pathNot }) },
  }
})

const layers = Object.entries(LAYERS).flatMap(([room, all]) =>
  all.slice(0, -1).map((layer, at) => ({
    name: `${room}-imports-downwards`,
    severity: 'error',
    from: { path: inLayers(room, [layer]), pathNot: TEST },
    to: { path: inLayers(room, all.slice(at + 1)) },
  })),
)

module.exports = {
  forbidden: [
    { name: 'no-cycle', severity: 'error', from: { pathNot: TEST }, to: { circular: true } },
    {
      name: 'nothing-imports-cli',
      severity: 'error',
      from: { pathNot: `^cli/|${TEST}` },
      to: { path: '^cli/' },
    },
    {
      name: 'prove-is-imported-by-cli-and-tools',
      severity: 'error',
      from: { pathNot: `^(prove|cli|tools)/|${TEST}` },
      to: { path: '^prove/' },
    },
    {
      name: 'only-the-host-driver-starts-the-reference-server',
      severity: 'error',
      from: { path: '^conformance/', pathNot: `^conformance/drivers/host/|${TEST}` },
      to: { path: '^reference/' },
    },
    {
      name: 'undici-only-in-send',
      severity: 'error',
      from: {
        path: '^(spec|conformance|reports|pages|prove|cli)/',
        pathNot: `^conformance/drivers/send/transport/|${TEST}`,
      },
      to: { path: 'node_modules/undici' },
    },
    {
      name: 'the-judge-is-pure',
      severity: 'error',
      from: { path: '^(conformance/(judge|exchange)|spec/model)/', pathNot: TEST },
      to: {
        path: '^(node:)?(fs|net|http|https|http2|tls|dns|timers|perf_hooks|process|child_process)(/promises)?$',
      },
    },
    {
      name: 'no-driver-imports-another',
      severity: 'error',
      from: { path: '^conformance/drivers/([^/]+)/', pathNot: TEST },
      to: { path: '^conformance/drivers/', pathNot: '^conformance/drivers/$1/' },
    },
    {
      name: 'run-loads-no-mutation-code',
      severity: 'error',
      from: { path: '^(cli/run/|index\\.ts)', pathNot: TEST },
      to: { path: '^prove/', reachable: true },
    },
    {
      name: 'only-the-redactor-searches-for-secrets',
      severity: 'error',
      from: { pathNot: `^conformance/evidence/(redact|token-search|pattern-search)\\.ts$|${TEST}` },
      to: { path: '^conformance/evidence/(token-search|pattern-search|decoded-forms)\\.ts$' },
    },
    { name: 'nothing-imports-a-test', severity: 'error', from: { pathNot: TEST }, to: { path: TEST } },
    ...rooms,
    ...layers,
    ...Object.entries(LAYERS).map(([room, all]) => ({
      name: `${room}-has-no-other-layer`,
      severity: 'error',
      from: {},
      to: { path: `^${room}/`, pathNot: `${inLayers(room, all)}|${TEST}|/(generated|page)/` },
    })),
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^dist', '/generated/'] },
    exclude: { path: ['^examples', '^docs', '^dist', '^tools/interop/.*/node_modules'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
}
