import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';
import js from '@eslint/js';

const outgoing = 'Outgoing connections go through src/outbound (the one door out), mail through src/mail.';
const waysOut = ['undici', 'axios', 'node:https', 'node:tls', 'https', 'tls', 'nodemailer'];

/** Forbids to import what opens outgoing connections. */
function forbid(names) {
  return ['error', { paths: names.map((name) => ({ name, message: outgoing })) }];
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
    rules: {
      'no-restricted-globals': ['error', { name: 'fetch', message: outgoing }],
      'no-restricted-imports': forbid(waysOut),
    },
  },
  {
    files: ['src/mail/**/*.ts'],
    rules: { 'no-restricted-imports': forbid(waysOut.filter((name) => name !== 'nodemailer')) },
  },
  {
    files: ['src/config/**', 'test/**', 'bench/**', 'scripts/**', 'src/**/*.spec.ts', 'ormconfig.ts'],
    rules: { 'no-restricted-properties': 'off', 'no-console': 'off' },
  },
  {
    files: ['test/**/*.ts', 'src/**/*.spec.ts'],
    rules: {
      // supertest's `body` is `any` by design; the assertions on it are the check.
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
