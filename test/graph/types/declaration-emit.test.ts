import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const TIMEOUT_MS = 60_000

/** Exports of a user's package with inferred types. */
const SOURCE = `
import * as edgewise from 'edgewise'
import { changes, consumer } from 'edgewise/derive'
import { memory } from 'edgewise/engine'
import { createTableInput } from 'edgewise/table'
import { add, counter, edge, embedded, graph, integer, json, layout, list, map, node, open, set, string } from 'edgewise'
export const user = node('user', { id: string(), posts: counter(), tags: set(string()), any: json() }, { id: 'id' })
export const post = node('post', { no: integer(), who: list(map({ any: json() })), liked: embedded({ name: string() }) }, { id: 'no', within: user })
export const likes = edge('likes', { user, post }, { n: integer() }, { key: ['n'], count: { user: 'posts' } })
export const blog = graph('blog', [user, post, likes])
export const made = layout(blog)
export const opened = await open(blog, {} as edgewise.Store)
export const tenants = await open(graph('blog', [user], { tenant: true }), {} as edgewise.Store)
export const one = tenants.$tenant('one')
export const users = opened.user
export const liking = opened.likes
export const found = opened.likes.by.user('ann')
export const where = opened.$layout
export const get = opened.user.get('ann')
export const row = await get
export const plan = get.plan()
export const explained = get.explain()
export const report = await get.run()
export const collected = opened.user.collect('ann', { posts: opened.post.by.user })
export const together = opened.$transact([opened.user.get('ann')])
export const more = add(1)
export const happened = changes(blog, [])
export const error = new edgewise.GraphError('call.cap', '')
export const { details, code } = error
export const { steps } = explained
export const sent = plan.steps
export const prices = sent.map(step => step.price)
export const { handle } = consumer(blog, {} as edgewise.Store)
export const { failures } = await handle([])
export const { GlobalSecondaryIndexes, AttributeDefinitions } = createTableInput(made.design)
export const store = memory()
export const table = (await store.describeTable({ TableName: 'blog' })).Table
export const indexes = table?.GlobalSecondaryIndexes
export const changed = store.updateTable({ TableName: 'blog' })
export const streams = await store.listStreams({})
export const records = (await store.getRecords({ ShardIterator: '' })).Records
export const backup = await store.createBackup({ TableName: 'blog', BackupName: 'blog' })
export const found2 = await store.executeStatement({ Statement: '' })
export const settings = { ...store }
export function repository<N extends edgewise.AnyNode>(nodes: edgewise.NodeHandleOf<N>) {
  const { get, put, update } = nodes
  return {
    get, put, update,
    find: (id: edgewise.NodeId<N>) => nodes.get(id),
    save: (given: edgewise.NodeInput<N>) => nodes.put(given),
    change: (id: Parameters<typeof get>[0], patch: Parameters<typeof update>[1]) => nodes.update(id, patch),
  }
}
export function relation<E extends edgewise.AnyEdge>(edges: edgewise.EdgeHandleOf<E>) {
  const { get, put, update } = edges
  return {
    get, put, update,
    save: (given: edgewise.EdgeInput<E>) => edges.put(given),
    change: (key: edgewise.EdgeKey<E>, patch: edgewise.EdgePatch<E>) => edges.update(key, patch),
  }
}
export const repositories = [repository<typeof user>(users), relation<typeof likes>(liking)]
`

it(
  'every exported type of a graph can be named in the declarations of another package',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'edgewise-'))
    try {
      const own = join(folder, 'node_modules/edgewise')
      await mkdir(own, { recursive: true })
      await symlink(join(ROOT, 'src'), join(own, 'src'))
      const exported = {
        name: 'edgewise',
        type: 'module',
        exports: {
          '.': './src/index.ts',
          './derive': './src/derive/index.ts',
          './dynamodb': './src/dynamodb/index.ts',
          './engine': './src/embedded.ts',
          './table': './src/table/index.ts',
        },
      }
      await writeFile(join(own, 'package.json'), JSON.stringify(exported))
      const compilerOptions = {
        ...{
          target: 'es2023',
          lib: ['es2023', 'es2024.string', 'esnext.disposable'],
          module: 'nodenext',
          strict: true,
        },
        ...{
          declaration: true,
          emitDeclarationOnly: true,
          preserveSymlinks: true,
          rewriteRelativeImportExtensions: true,
        },
        ...{ types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')], outDir: 'out', rootDir: '.' },
      }
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['fixture.ts'] }))
      await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
      await writeFile(join(folder, 'fixture.ts'), SOURCE)
      const said = await new Promise<string>(resolve => {
        const binary = join(ROOT, 'node_modules/typescript/bin/tsc')
        const told = ['-p', folder, '--pretty', 'false']
        // Errors contain paths relative to the folder of the compiler call.
        execFile(process.execPath, [binary, ...told], { cwd: folder }, (_, out) => resolve(out))
      })
      expect(said.split('\n').filter(line => line.startsWith('fixture.ts'))).toEqual([])
      expect(await readFile(join(folder, 'out/fixture.d.ts'), 'utf8')).toContain('edgewise.Counter')
    } finally {
      await rm(folder, { recursive: true })
    }
  },
  TIMEOUT_MS,
)
