/** Folders of the same `src` of an app or a lib do not import each other in a circle. Tests and their helpers may import any. */
module.exports = {
  forbidden: [
    {
      name: 'no-circular-folders',
      severity: 'error',
      scope: 'folder',
      from: { path: '^((?:apps|libs)/[^/]+/src)/[^/]+$' },
      to: { circular: true, viaOnly: { path: '^$1/[^/]+$' } },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|coverage|test)/|\\.spec\\.ts$|/testing/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
  },
};
