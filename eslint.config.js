import prettier from 'eslint-config-prettier';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import js from '@eslint/js';

const outgoing = 'Outgoing connections go through src/outbound, and email through src/mail.';
const outgoingModules = ['undici', 'axios', 'node:https', 'node:tls', 'https', 'tls', 'nodemailer'];
const typeorm =
  'Only entities, migrations and src/database use TypeORM. Use database.repository(Entity), or a statement.';

const quadratic = {
  name: 'class-validator',
  importNames: ['ArrayUnique'],
  message: 'It compares each item with all others. Use UniqueItems of src/validation/unique-items.ts.',
};

/** The modules of src, by layer (ARCHITECTURE.md). A module imports from its own layer's earlier modules and from the layers below. */
const layers = [
  ['validation', 'config', 'errors', 'admission', 'json', 'processes'],
  ['fields', 'modules', 'database', 'redis', 'outbound', 'search'],
  ['http', 'ids', 'lists', 'openapi', 'guides', 'console'],
  ['access', 'observability', 'problem-pages'],
  ['secrets', 'backlog', 'queues', 'audit', 'events', 'work', 'scheduled-jobs', 'idempotency'],
  [
    'tenants',
    'content',
    'media',
    'forms',
    'contract',
    'mail',
    'webhooks',
    'tenant-schema',
    'keys',
    'people',
    'usage',
    'mcp',
  ],
  ['backup', 'distribution'],
];
const modules = layers.flat();
/** The files directly in src, which assemble the application. */
const assembly = [
  'app\\.module',
  'app\\.setup',
  'cluster',
  'configure',
  'load-extension',
  'load-modules',
  'main',
  'serve',
  'start',
  'trivet-imports',
];

/** The imports that are forbidden in a module's files. */
function restrictions(module) {
  const higher = modules.slice(modules.indexOf(module) + 1);
  const patterns = [
    {
      regex: `^(\\.\\./)+(${[...higher, ...assembly].join('|')})(/|\\.js$)`,
      message: `src/${module} is in a lower layer: see "Layers" in ARCHITECTURE.md.`,
    },
  ];
  if (!['database', 'backup'].includes(module)) patterns.push({ regex: '^typeorm(/|$)', message: typeorm });
  const allowed = module === 'outbound' ? outgoingModules : module === 'mail' ? ['nodemailer'] : [];
  return ['error', { paths: [...outgoingPaths(allowed), quadratic], patterns }];
}

/** The imports that are forbidden in an extension's files. `above` matches what lies outside of its folder. */
function extensionRestrictions(above) {
  const message = 'An extension imports trivet/… (the exports in package.json), packages, and files of its own folder.';
  const patterns = [
    { regex: above, message },
    { regex: '^typeorm(/|$)', message: typeorm },
  ];
  return ['error', { paths: [...outgoingPaths([]), quadratic], patterns }];
}

function outgoingPaths(allowed) {
  return outgoingModules.filter((name) => !allowed.includes(name)).map((name) => ({ name, message: outgoing }));
}

/** Words that docs/reference/glossary.md replaces in names of types and classes. scripts/tree.mjs checks the names of files. */
const replacedWords = {
  Room: 'Module or Manifest',
  Turn: 'Permit or Queue',
  Lane: 'a concurrency',
  Gate: 'Semaphore',
  Share: 'Quota',
  SetBack: 'Restricted',
  Findings: 'what was found',
};
const wordRules = Object.entries(replacedWords).map(([word, instead]) => ({
  selector: `:matches(ClassDeclaration, TSInterfaceDeclaration, TSTypeAliasDeclaration) > Identifier.id[name=/(^|[a-z])${word}s?$/]`,
  message: `The glossary says ${instead} instead of ${word}.`,
}));

const tests = ['test/**/*.ts', '**/*spec.ts', 'extensions/**/*.scenario.ts'];

export default tseslint.config(
  {
    ignores: [
      'dist',
      'node_modules',
      '.data',
      'coverage',
      'client/dist',
      'cli/dist',
      'client/src/request/generated',
      'test/client/types',
      'test/clients/**/*.ts',
      'test/frameworks/.sites',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      // Each module adds itself to this interface.
      '@typescript-eslint/no-empty-object-type': [
        'error',
        { allowWithName: '^(DeclaredModules|ConstraintAttributes)$' },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        {
          object: 'URL',
          property: 'canParse',
          message: 'Use parseUrl: canParse of Node.js 20 refuses some valid URLs.',
        },
        { object: 'process', property: 'env', message: 'Only src/config reads the environment.' },
      ],
    },
  },
  {
    files: ['src/**/*.ts', 'extensions/**/*.ts'],
    ignores: ['src/outbound/**', ...tests],
    rules: { 'no-restricted-globals': ['error', { name: 'fetch', message: outgoing }] },
  },
  { files: ['src/**/*.ts', 'extensions/**/*.ts'], rules: { 'no-restricted-syntax': ['error', ...wordRules] } },
  ...modules.map((module) => ({
    files: [`src/${module}/**/*.ts`],
    ignores: ['src/**/*.spec.ts', 'src/**/*.entity.ts', 'src/*/migrations/*', 'src/*/*-command.ts'],
    rules: { 'no-restricted-imports': restrictions(module) },
  })),
  ...[
    { files: ['extensions/*/*.ts'], above: '^\\.\\./' },
    { files: ['extensions/*/*/*.ts'], above: '^\\.\\./\\.\\./' },
  ].map(({ files, above }) => ({
    files,
    ignores: [...tests, '**/*.entity.ts', 'extensions/*/migrations/*'],
    rules: { 'no-restricted-imports': extensionRestrictions(above) },
  })),
  {
    files: ['console/src/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat['recommended-latest']],
    rules: {
      // That of a browser is sound, and there is no environment.
      'no-restricted-properties': 'off',
      // A handler of an event may be asynchronous: what it calls shows its own failures.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: '^(\\.\\./)+(src|scripts|test)/', message: 'The console is a client: it knows the API only.' },
          ],
        },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
          message: 'Values are hostile: render them as text.',
        },
        ...wordRules,
      ],
    },
  },
  {
    files: ['console/src/**/*.{ts,tsx}'],
    ignores: ['console/src/api/request.ts'],
    rules: { 'no-restricted-globals': ['error', { name: 'fetch', message: 'Requests go through api/request.ts.' }] },
  },
  {
    files: ['src/config/**', 'bench/**', 'scripts/**', 'ormconfig.ts', 'test/**', ...tests],
    rules: { 'no-restricted-properties': 'off', 'no-console': 'off' },
  },
  {
    files: tests,
    rules: {
      // supertest's `body` is `any` by design. The assertions check it.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        URLSearchParams: 'readonly',
        AbortController: 'readonly',
        AbortSignal: 'readonly',
        fetch: 'readonly',
        FormData: 'readonly',
        Blob: 'readonly',
        Buffer: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        performance: 'readonly',
      },
    },
  },
  { files: ['examples/*/public/**'], languageOptions: { globals: { document: 'readonly' } } },
  prettier,
);
