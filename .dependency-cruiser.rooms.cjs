/** Rooms: the folders beside each other in the `src` of an app or a lib. Tests, and what they share, may look into any. */
module.exports = {
  forbidden: [
    {
      name: 'no-two-rooms-import-each-other',
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
