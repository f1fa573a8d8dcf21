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
      // Use `private` everywhere, as the classes of Nest and TypeORM do, instead of `#`.
      'no-restricted-syntax': [
        'error',
        { selector: ':matches(PropertyDefinition, MethodDefinition) > PrivateIdentifier', message: 'Say private.' },
      ],
      // Nest modules are classes without members.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      // Values in messages are mostly numbers.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-exports': 'error',
      // noPropertyAccessFromIndexSignature requires brackets where this rule would require a dot.
      '@typescript-eslint/dot-notation': 'off',
      // Nest declares its option objects as classes but accepts literals.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Tight loops need `!` because of noUncheckedIndexedAccess.
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    plugins: { regexp },
    rules: {
      // A crafted text in a feed or request can block the process with a slow expression.
      'regexp/no-super-linear-backtracking': 'error',
      'regexp/no-super-linear-move': 'error',
    },
  },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      // Tests compare whole answers, whatever their type.
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
);
