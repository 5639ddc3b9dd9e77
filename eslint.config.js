import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';
import js from '@eslint/js';

const outgoing = 'Outgoing connections go through src/outbound, and email through src/mail.';
const outgoingModules = ['undici', 'axios', 'node:https', 'node:tls', 'https', 'tls', 'nodemailer'];
const typeorm =
  'Only entities, migrations and src/database use TypeORM. Use database.repository(Entity), or a statement.';

/** The modules of src, by layer (ARCHITECTURE.md). A module imports from its own layer's earlier modules and from the layers below. */
const layers = [
  ['validation', 'config', 'errors', 'admission', 'json', 'processes'],
  ['database', 'outbound', 'fields', 'search'],
  ['http', 'ids', 'lists', 'openapi'],
  ['access', 'observability', 'problem-pages'],
  ['queues', 'events', 'work'],
  ['tenants', 'content', 'forms', 'mail', 'media', 'webhooks'],
  ['backup'],
];
const modules = layers.flat();

/** The imports that are forbidden in a module's files. */
function restrictions(module) {
  const higher = modules.slice(modules.indexOf(module) + 1);
  const patterns = [
    {
      regex: `^(\\.\\./)+(${[...higher, 'app\\.module|app\\.setup|serve|main|cluster'].join('|')})(/|\\.js$)`,
      message: `src/${module} is in a lower layer: see "Layers" in ARCHITECTURE.md.`,
    },
  ];
  if (!['database', 'backup'].includes(module)) patterns.push({ regex: '^typeorm(/|$)', message: typeorm });
  const allowed = module === 'outbound' ? outgoingModules : module === 'mail' ? ['nodemailer'] : [];
  const paths = outgoingModules.filter((name) => !allowed.includes(name)).map((name) => ({ name, message: outgoing }));
  return ['error', { paths, patterns }];
}

export default tseslint.config(
  { ignores: ['dist', 'node_modules', '.data', 'coverage'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only src/config reads the environment.' },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/outbound/**', 'src/**/*.spec.ts'],
    rules: { 'no-restricted-globals': ['error', { name: 'fetch', message: outgoing }] },
  },
  ...modules.map((module) => ({
    files: [`src/${module}/**/*.ts`],
    ignores: ['src/**/*.spec.ts', 'src/**/*.entity.ts'],
    rules: { 'no-restricted-imports': restrictions(module) },
  })),
  {
    files: ['src/config/**', 'test/**', 'bench/**', 'scripts/**', 'src/**/*.spec.ts', 'ormconfig.ts'],
    rules: { 'no-restricted-properties': 'off', 'no-console': 'off' },
  },
  {
    files: ['test/**/*.ts', 'src/**/*.spec.ts'],
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
  prettier,
);
