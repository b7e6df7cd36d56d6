/** The files of a new project. A test compiles and runs them. */
export const GRAPH_FILE = `import { edge, graph, integer, node, string } from 'edgewise'

const movie = node('movie', { name: string(), year: integer() }, { id: 'name' })
const actor = node('actor', { name: string(), born: integer() }, { id: 'name' })
const role = edge('role', { movie, actor }, { character: string() })

export default graph('cinema', [movie, actor, role])

// Rows to look at with \`npx edgewise items graph.ts\`.
export const example = {
  movie: [
    { name: 'Toy Story', year: 1995 },
    { name: 'Cast Away', year: 2000 },
  ],
  actor: [{ name: 'Tom Hanks', born: 1956 }],
  role: [
    { movie: 'Toy Story', actor: 'Tom Hanks', character: 'Woody' },
    { movie: 'Cast Away', actor: 'Tom Hanks', character: 'Chuck' },
  ],
}
`

export const MAIN_FILE = `import { open } from 'edgewise'
import { memory } from 'edgewise/engine'
import cinema, { example } from './graph.js'

// In memory; disk('./data') of edgewise/engine keeps it, and dynamodb() of edgewise/aws is DynamoDB itself.
const g = await open(cinema, memory())

for (const row of example.movie) await g.movie.put(row)
for (const row of example.actor) await g.actor.put(row)
for (const row of example.role) await g.role.put(row)

const played = g.role.by.actor('Tom Hanks').withNodes().all()
console.log(played.explain().toString())
for (const { edge, node } of await played) console.log(edge.character, 'in', edge.movie, node?.year)
`

export const GITIGNORE_FILE = 'node_modules/\ndist/\n'

/** The settings of npm and of the compiler. */
export function projectSettings(name: string, version: string) {
  return {
    manifest: {
      name,
      private: true,
      type: 'module',
      engines: { node: '>=20.19' },
      scripts: {
        start: 'tsc && node dist/main.js',
        check: 'edgewise check graph.ts',
        items: 'edgewise items graph.ts',
      },
      dependencies: { edgewise: `^${version}` },
      devDependencies: { '@types/node': '^20.19.0', typescript: '^7.0.0' },
    },
    compiler: {
      compilerOptions: {
        target: 'es2023',
        module: 'nodenext',
        strict: true,
        skipLibCheck: true,
        types: ['node'],
        outDir: 'dist',
      },
      include: ['*.ts'],
    },
  }
}
