// Runs the examples of the documents and draws them. A document whose example cannot run or be drawn fails the build.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { drawGraph, drawItems } from './diagrams.js'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const CODE = fileURLToPath(new URL('build/code/', import.meta.url))
const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const EXAMPLE = /^```ts\n((?:(?!^```).)*?^export const example = .*?)^```$/ms

/** Bundles programs with the sources of the package and imports them. Their output is not part of the build's. */
async function importPrograms(programs) {
  rmSync(CODE, { recursive: true, force: true })
  mkdirSync(CODE, { recursive: true })
  for (const [name, code] of Object.entries(programs)) writeFileSync(join(CODE, `${name}.ts`), code)
  await build({
    entryPoints: Object.keys(programs).map(name => join(CODE, `${name}.ts`)),
    tsconfig: join(ROOT, 'tsconfig.json'),
    external: Object.keys({ ...dependencies, ...peerDependencies }),
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    outdir: join(CODE, 'out'),
    outExtension: { '.js': '.mjs' },
    logLevel: 'error',
  })
  const print = console.log
  console.log = () => {}
  try {
    const imported = {}
    for (const name of Object.keys(programs))
      imported[name] = await import(pathToFileURL(join(CODE, 'out', `${name}.mjs`)))
    return imported
  } finally {
    console.log = print
  }
}

/** One line of HTML. Vue and Markdown leave its text as it is. */
const figure = (...drawings) => `<figure class="diagrams" v-pre>${drawings.filter(Boolean).join('')}</figure>`

/** Returns the pictures of the movies example, and of each page of a way to store an edge by its path. */
export async function drawPictures() {
  const programs = {
    tools: `export { itemsOf, printIndex, printItems } from 'edgewise/layout'`,
    movies: `export { g, rows } from '../../../examples/movies/movies.js'`,
  }
  for (const file of readdirSync(join(ROOT, 'docs/ways')).sort()) {
    const code = readFileSync(join(ROOT, 'docs/ways', file), 'utf8').match(EXAMPLE)?.[1]
    if (code) programs[`way-${basename(file, '.md')}`] = code
    else if (file !== 'README.md')
      throw new Error(`docs/ways/${file}: the page exports no example; export 'made' and 'example'.`)
  }
  const { tools, movies, ...ways } = await importPrograms(programs)
  const cinema = movies.g.$layout
  const pictures = new Map()
  for (const [name, { made, example }] of Object.entries(ways)) {
    const path = `docs/ways/${name.replace('way-', '')}.md`
    pictures.set(path, figure(drawGraph(made, example), drawItems(made, example, tools)))
  }
  const graph = drawGraph(cinema, movies.rows)
  if (!graph) throw new Error('examples/movies: the example has no edges to draw; add rows of an edge.')
  return { movies: { graph: figure(graph), items: figure(drawItems(cinema, movies.rows, tools)) }, ways: pictures }
}

/** Inserts the picture of a page after the code that exports its example. */
export const withPicture = (text, picture) => text.replace(EXAMPLE, code => `${code}\n\n${picture}\n`)
