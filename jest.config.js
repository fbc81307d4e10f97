/** Tests are ES modules in TypeScript, compiled by swc; types are checked by tsc, apart. */
export default {
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2023', experimental: { keepImportAttributes: true } },
        module: { type: 'es6' },
      },
    ],
  },
  testEnvironment: '<rootDir>/test/support/environment.ts',
  modulePathIgnorePatterns: ['<rootDir>/.build/', '<rootDir>/.sidelight/'],
  testTimeout: 30_000,
  // jest frees no ES module of a file that is done: all files in one process come to meet Node's limit of 4 GB
  workerIdleMemoryLimit: '2GB',
  reporters: ['default', '<rootDir>/test/support/reporter.js'],
};
