import tseslint from 'typescript-eslint';

const effects = {
  clock: 'Only src/system touches the clock. Take a `Clock`, or the instant itself, as a parameter.',
  process: 'Only src/system touches processes and the environment. Take what you need as a parameter.',
  files: 'Only src/system touches files, child processes and sockets.',
};

/** Folders in the order in which they may import: each only from those after it. */
const ORDER = ['cli', 'selftest', 'fleet', 'workers', 'signals', 'store', 'upstream', 'system', 'core'];

const oneWay = ORDER.map((folder, index) => ({
  files: [`src/${folder}/**/*.ts`],
  rules: {
    '@typescript-eslint/no-restricted-imports': [
      'error',
      {
        patterns: [
          ...(index > 0
            ? [
                {
                  regex: `^(\\.\\./)+(${ORDER.slice(0, index).join('|')})/`,
                  message: 'Folders import one way: ' + ORDER.join(' → '),
                },
              ]
            : []),
          ...(folder === 'system' || folder === 'upstream'
            ? []
            : [{ regex: '^node:', message: effects.files }]),
        ],
      },
    ],
  },
}));

export default tseslint.config(
  { ignores: ['dist', 'dist.*', 'coverage'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [{ from: 'package', name: ['it', 'test', 'describe'], package: 'vitest' }],
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/system/**', 'src/upstream/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...['setTimeout', 'setInterval', 'setImmediate', 'performance'].map((name) => ({
          name,
          message: effects.clock,
        })),
        ...['process', 'console'].map((name) => ({ name, message: effects.process })),
      ],
      'no-restricted-syntax': [
        'error',
        { selector: "MemberExpression[object.name='Date'][property.name='now']", message: effects.clock },
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: effects.clock },
        { selector: "CallExpression[callee.name='Date']", message: effects.clock },
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
      ],
    },
  },
  ...oneWay,
);
