import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['**/dist/', 'coverage/', '.data/', '**/*.js', '**/*.mjs', '**/*.cjs'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'URL', property: 'canParse', message: 'Node.js 20 refuses accents by chance: use isUrl.' },
      ],
      // One of the two ways to say it: Nest's and TypeORM's classes have `private`.
      'no-restricted-syntax': [
        'error',
        { selector: ':matches(PropertyDefinition, MethodDefinition) > PrivateIdentifier', message: 'Say private.' },
      ],
      // Nest modules are classes without members.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      // Figures in messages are numbers more often than not.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-exports': 'error',
      // noPropertyAccessFromIndexSignature asks for brackets where this rule would ask for a dot.
      '@typescript-eslint/dot-notation': 'off',
      // Nest declares its option objects as classes and takes literals.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // An assertion that an index exists is how noUncheckedIndexedAccess is answered in tight loops.
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    plugins: { regexp },
    rules: {
      // A text of a feed or of a request that is made for such an expression blocks the whole process.
      'regexp/no-super-linear-backtracking': 'error',
      'regexp/no-super-linear-move': 'error',
    },
  },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      // Answers are compared as whole values of whatever type they have.
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
);
