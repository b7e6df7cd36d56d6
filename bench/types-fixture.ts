/** The content of a fixture: pairs of a node and an edge, only declared, with keys, with a few calls, or complete. */
export type Depth = 'declared' | 'keys' | 'four calls' | 'every feature' | 'reads' | 'three hops'

/** The entry has the names, so that the fixture follows when files move. */
const NAMES = 'add, counter, date, edge, embedded, graph, integer, layout, node, remove, string, type OpenedOf'

/** Returns the source text for the given number of pairs. Its imports are relative to `source`. */
export function fixture(pairs: number, depth: Depth, source: string): string {
  const numbers = Array.from({ length: pairs }, (_, at) => at)
  const full = depth === 'every feature'
  const types = numbers.map(at => `node${at}, edge${at}`).join(', ')
  return [
    `import { ${NAMES} } from '${source}/index.js'`,
    "const hub = node('hub', { id: string(), n: counter(), list: embedded({ title: string() }) }, { id: 'id' })",
    'export const used = [counter, date, embedded, integer, add, remove, layout]',
    ...numbers.map(full ? fullPair : plainPair),
    `export const all = graph('all', [hub, ${types}])`,
    ...(depth === 'declared' || depth === 'keys' ? [] : ['declare const g: OpenedOf<typeof all>']),
    ...(depth === 'keys'
      ? [`export const made = layout(all, { keys: { ${numbers.map(givenKeys).join(', ')} } })`]
      : []),
    ...(depth === 'four calls' ? numbers.map(fourCalls) : []),
    ...(full ? numbers.map(eightCalls) : []),
    ...(depth === 'reads' || depth === 'three hops' ? numbers.map(reads) : []),
    ...(depth === 'three hops' ? numbers.map(threeHops) : []),
  ].join('\n')
}

function plainPair(at: number): string {
  return `const node${at} = node('node${at}', { id: string(), name: string(), year: integer() }, { id: 'id' })
const edge${at} = edge('edge${at}', { from: node${at}, hub }, { since: date(), note: string().optional() })`
}

function fullPair(at: number): string {
  return `const node${at} = node('node${at}', { id: string(), title: string().immutable(), year: integer(), mail: string(), tag: string().optional(), edges: counter() }, { id: 'id', unique: ['mail'], by: { year: { order: ['year', 'title'], shards: 4 }, mailed: { in: ['mail'], order: ['year'] } } })
const edge${at} = edge('edge${at}', { from: node${at}, hub }, { since: date().default(() => new Date()), note: string().optional(), weight: integer() }, { key: ['weight'], carry: { title: 'from.title', year: { from: 'from.year', sync: 'eventual' } }, count: { from: 'edges' }, embed: { hub: { into: 'list', max: 40 } }, by: { hub: { order: ['since'], as: 'mirror' } } })`
}

function givenKeys(at: number): string {
  return `node${at}: { PK: 'N${at}#{id}', SK: '{name}#{year}' }, edge${at}: { PK: 'N${at}#{from}', SK: '{hub}#{note}' }`
}

function fourCalls(at: number): string {
  return `await g.node${at}.put({ id: 'x', name: 'y', year: 1 })
export const row${at} = (await g.node${at}.get('x'))!.year
await g.node${at}.update('x', { year: 2 })
await g.node${at}.delete('x')
await g.edge${at}.put({ from: 'x', hub: 'y', since: new Date() })
export const edgeRow${at} = (await g.edge${at}.get({ from: 'x', hub: 'y' }))!.since
export const from${at} = (await g.edge${at}.by.from('x').all())[0]!.note
export const hubs${at} = (await g.edge${at}.by.hub('y').first())!.from`
}

function reads(at: number): string {
  return `export const from${at} = (await g.edge${at}.by.from('x').all())[0]!.note
export const hub${at} = (await g.edge${at}.by.hub('y').all())[0]!.from
export const node${at}Row = (await g.node${at}.get('x'))!.year`
}

function threeHops(at: number): string {
  return `export const reached${at} = await g.node${at}.from('x').hop(g.edge${at}.by.from).hop(g.edge${at}.by.hub).hop(g.edge${at}.by.from).ids()`
}

function eightCalls(at: number): string {
  return `await g.node${at}.put({ id: 'x', title: 'y', year: 1, mail: 'z' })
export const row${at} = (await g.node${at}.get('x'))!.year
await g.node${at}.update('x', { year: add(2), tag: remove() }).if(r => r.year.below(3))
export const one${at} = (await g.node${at}.by.mail('z'))!.title
export const some${at} = (await g.node${at}.by.year().where({ year: 3, title: { startsWith: 'a' } }).all())[0]!.title
export const rest${at} = (await g.node${at}.collect('x', { edges: g.edge${at}.by.from })).edges[0]!.title
await g.edge${at}.put({ from: 'x', hub: 'y', weight: 1 })
export const pairs${at} = (await g.edge${at}.by.hub('y').where({ since: { from: new Date() } }).withNodes().all())[0]!.node!.mail`
}
