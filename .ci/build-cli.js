// Bundles the compiled command line in `dist/cli`, so that a program which depends on edgewise installs neither commander
// nor jiti. Other rooms stay separate files, which the command line shares with the entries of the package. The endpoint
// is one bundle with its engine, because `edgewise serve` starts twice as fast from one file.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const BUNDLED = ['commander', 'jiti']
const root = fileURLToPath(new URL('../', import.meta.url))
const compiled = join(root, 'dist/cli')
const output = join(root, 'dist/cli-bundle')
const serveCommand = join(compiled, 'serve/command.js')
const failures = join(compiled, 'command-failure.js')
const shared = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  minifyWhitespace: true,
  logLevel: 'warning',
}

/** Leaves modules of other rooms and the endpoint as imports of the files that are next to the bundle. */
const otherRooms = {
  name: 'other-rooms',
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ path, importer }) => {
      if (!importer.startsWith(compiled)) return undefined
      const target = resolve(dirname(importer), path)
      if (target === serveCommand) return { path: './serve.js', external: true }
      if (target.startsWith(compiled)) return undefined
      return { path: relative(compiled, target).replaceAll('\\', '/'), external: true }
    })
  },
}

/** Leaves the errors of commands as one module for both bundles, because `instanceof` recognizes them. */
const sharedFailures = {
  name: 'shared-failures',
  setup({ onResolve }) {
    onResolve({ filter: /command-failure\.js$/ }, () => ({ path: './command-failure.js', external: true }))
  },
}

mkdirSync(output)
await build({
  ...shared,
  entryPoints: [join(compiled, 'main.js'), failures],
  outdir: output,
  splitting: true,
  // The other entry of jiti finds its compiler by a path, which no bundler follows.
  alias: { jiti: 'jiti/static' },
  external: ['@aws-sdk/*', '@duckdb/*', 'lmdb', 'big.js'],
  plugins: [otherRooms],
  // commander is CommonJS and loads Node's modules with `require`.
  banner: {
    js: "import { createRequire as nodeRequire } from 'node:module'; const require = nodeRequire(import.meta.url);",
  },
})
await build({
  ...shared,
  entryPoints: [serveCommand],
  outfile: join(output, 'serve.js'),
  packages: 'external',
  plugins: [sharedFailures],
})
const licenseOf = name => `${name}\n\n${readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8')}`
writeFileSync(join(output, 'LICENSES.txt'), BUNDLED.map(licenseOf).join('\n\n'))

rmSync(compiled, { recursive: true })
renameSync(output, compiled)
