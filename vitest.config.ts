import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string) => fileURLToPath(new URL(`src/${path}`, import.meta.url))

export default defineConfig({
  // The entries of the package, for the examples in the documents.
  resolve: {
    alias: [
      { find: /^edgewise$/, replacement: source('index.ts') },
      { find: /^edgewise\/attributes$/, replacement: source('schema/transformed/index.ts') },
      { find: /^edgewise\/aws$/, replacement: source('aws/index.ts') },
      { find: /^edgewise\/derive$/, replacement: source('derive/index.ts') },
      { find: /^edgewise\/engine$/, replacement: source('embedded.ts') },
      { find: /^edgewise\/http$/, replacement: source('http/index.ts') },
      { find: /^edgewise\/jobs$/, replacement: source('jobs/index.ts') },
      { find: /^edgewise\/layout$/, replacement: source('layout/index.ts') },
      { find: /^edgewise\/table$/, replacement: source('table/index.ts') },
      { find: /^edgewise\/testing$/, replacement: source('store/contract/index.ts') },
      { find: /^edgewise\/upsert$/, replacement: source('graph/upsert.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/seed.ts'],
    // By default one core of the machine is left idle, which is half of a small one.
    maxWorkers: '100%',
    // Only for what hangs: no test is held to a time.
    testTimeout: 120_000,
    // CommonJS dependencies are imported as Node imports them, not as a bundler would.
    deps: { interopDefault: false },
  },
})
