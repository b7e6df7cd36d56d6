import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const manifest = new URL('package.json', import.meta.url)
const { exports } = JSON.parse(readFileSync(manifest, 'utf8')) as { exports: Record<string, string> }

/** The sources of the package's entries, for examples in the documents and tests that import it by its name. */
const entries = Object.entries(exports)
  .filter(([, file]) => file.startsWith('./dist/'))
  .map(([entry, file]) => ({
    find: new RegExp(`^${entry.replace('.', 'edgewise')}$`),
    replacement: fileURLToPath(new URL(file.replace('./dist/', 'src/').replace(/\.js$/, '.ts'), import.meta.url)),
  }))

/** Rooms whose modules hold nothing that one test could leave to the next. */
const PURE = /^(dynamodb|schema|layout|plan|engine)\/.*\.test\.ts$/
/** What puts something else in the place of a module, of the clock or of the process, or runs on the disk. */
const ALONE = /\bvi\.|\bprocess\.|\bglobalThis\b|disk\(/

/** Tests that share their modules: to load the code again for each file takes longer than most files do. */
const together = readdirSync(new URL('test', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter(file => PURE.test(file) && !ALONE.test(readFileSync(new URL(`test/${file}`, import.meta.url), 'utf8')))
  .map(file => `test/${file}`)

const every = ['test/**/*.test.ts']

export default defineConfig({
  resolve: { alias: entries },
  test: {
    projects: [
      { extends: true, test: { name: 'together', include: together, isolate: false } },
      { extends: true, test: { name: 'apart', include: every, exclude: ['**/node_modules/**', ...together] } },
    ],
    setupFiles: ['test/seed.ts'],
    // By default one core of the machine is left idle, which is half of a small one.
    maxWorkers: '100%',
    // Only for what hangs: no test is held to a time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 120_000 } },
    // CommonJS dependencies are imported as Node imports them, not as a bundler would.
    deps: { interopDefault: false },
  },
})
