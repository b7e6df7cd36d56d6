import type { Key } from '../dynamodb/attribute-value.js'
import type { Access } from '../layout/access.js'
import { hashOf } from '../layout/fingerprint.js'
import type { Layout } from '../layout/layout.js'
import { GraphError } from '../schema/error.js'
import { checkLimit, type PathAsk } from './ask.js'
import { type Position, readCursor } from './cursor.js'
import { hydrations } from './hydration.js'
import { keyOf, tenantValues, typeOf } from './identity.js'
import { queryStep } from './path-query.js'
import type { Found, Plan, RowsShape, Step } from './plan.js'
import { type Source, sourcesOf } from './queries.js'

/** A read by a path. */
export function planPath(layout: Layout, ask: PathAsk): Plan {
  const { steps, shape } = pathSteps(layout, ask, 0)
  if (!ask.count) return { steps, answer: shape }
  const { found } = shape
  return { steps, answer: { shape: 'count', steps: found.steps, ...(found.turned && { found }) } }
}

/** Its steps, numbered from `first`, and how they are answered. */
export function pathSteps(layout: Layout, ask: PathAsk, first: number): { steps: Step[]; shape: RowsShape } {
  const access = accessNamed(layout, ask.type, ask.path)
  checkLimit(ask.limit)
  const sources = sourcesOf(layout, access, ask.given, ask.where, tenantValues(ask.tenant))
  const query = queryHash(ask, sources)
  const { names } = layout
  const keys = sources.map(source => [
    ...new Set([...Object.keys(source.partition), ...source.sort, names.partition, names.sort]),
  ])
  const position = ask.cursor === undefined ? undefined : readCursor(ask.cursor, query, keys)
  // From both ends an edge of a node with itself is found twice: only its key tells.
  const select = ask.count && !sources.some(({ turned }) => turned) ? { Select: 'COUNT' } : {}
  const steps = sources.map((source, i) =>
    queryStep(layout, ask, source, { id: first + i, start: startKey(layout, sources, i, position), select }),
  )
  const found = foundBy(ask, access, sources, first)
  if (ask.count) return { steps, shape: { shape: 'rows', found } }
  const more = hydrations(layout, ask, access, found, first + steps.length)
  return { steps: [...steps, ...more.steps], shape: { shape: 'rows', found, ...more.shape, cursor: { query, keys } } }
}

export function accessNamed(layout: Layout, typeName: string, path: string): Access {
  const type = typeOf(layout, typeName)
  const access = layout.accesses.find(candidate => candidate.type === type && candidate.name === path)
  if (access && access.kind.role !== 'unique') return access
  throw new GraphError('read.path', `${typeName} cannot be read by '${path}'`, { type: typeName, name: path })
}

/** What a cursor is bound to: everything that decides which rows come, and in which order. */
function queryHash({ type, path, reverse, filter }: PathAsk, sources: readonly Source[]): string {
  const read = sources.map(({ access, tests }) => [access.index, tests])
  return hashOf(JSON.stringify([type, path, reverse ?? false, filter, read]))
}

/** A position becomes a start key for every source: all are sorted alike. */
function startKey(
  { names }: Layout,
  sources: readonly Source[],
  number: number,
  position: Position | undefined,
): Key | undefined {
  if (!position) return undefined
  const source = sources[number]!
  if (position.source === number) return { ...position.key, ...source.partition }
  const sorted = position.key[sources[position.source]!.sort[0]!]!
  return { ...keyOf(names, position.key), ...source.partition, [source.sort[0]!]: sorted }
}

function foundBy(ask: PathAsk, access: Access, sources: readonly Source[], first: number): Found {
  const back = sources.find(source => source.turned)
  const steps = sources.flatMap((source, i) => (source.turned ? [first + i] : []))
  return {
    steps: sources.map((_, i) => first + i),
    reverse: ask.reverse ?? false,
    kind: access.kind.name,
    ...(sources.length > 1 && { sorts: sources.map(({ sort }) => sort[0]!) }),
    ...(back && { turned: { steps, kind: back.access.kind.name } }),
    ...(ask.limit !== undefined && { limit: ask.limit }),
  }
}
