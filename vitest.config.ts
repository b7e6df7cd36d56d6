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
const PURE = /^(batch|contract|derive|dynamodb|engine|graph|jobs|layout|plan|schema|store|table)\/.*\.test\.ts$/
/** A test that replaces a module, the clock or the process, or that runs on the disk. */
const ALONE = /\bvi\.|\bprocess\.|\bglobalThis\b|disk\(|\bDatabase\b/
/** A test that takes seconds. `npm test` leaves it to `npm run test:slow`. */
const SLOW = /\.slow\.test\.ts$/

const files = readdirSync(new URL('test', import.meta.url), { recursive: true, encoding: 'utf8' }).filter(file =>
  file.endsWith('.test.ts'),
)
/** Whether a test shares its modules with others. Loading the code again for each file takes longer than most files. */
const sharesModules = (file: string) =>
  PURE.test(file) && !ALONE.test(readFileSync(new URL(`test/${file}`, import.meta.url), 'utf8'))

/** The configuration of a suite: its tests in one project that shares modules, and one that isolates each file. */
export function suiteOf(isPart: (file: string) => boolean) {
  const part = files.filter(isPart)
  const pathsOf = (shared: boolean) => part.filter(file => sharesModules(file) === shared).map(file => `test/${file}`)
  return defineConfig({
    resolve: { alias: entries },
    test: {
      projects: [
        { extends: true, test: { name: 'together', include: pathsOf(true), isolate: false } },
        { extends: true, test: { name: 'apart', include: pathsOf(false) } },
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
}

export const isSlow = (file: string) => SLOW.test(file)

export default suiteOf(file => !isSlow(file))
