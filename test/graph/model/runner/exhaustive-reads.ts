import type { DeclaredNode } from '../../../../src/schema/declarations.js'
import type { Model } from '../reference/model.js'
import { pathsOf, type ReadPath } from '../reference/reads.js'
import type { Command } from './commands.js'
import { shown } from './outcome.js'
import { allIds, allValues } from './random-values.js'

/** The maximum number of ids to read. Existing ids come first. */
const MOST_IDS = 8

/** Reads of all existing rows by every path from both ends, and of some missing rows. */
export function readsOfEverything(model: Model): Command[] {
  const { nodes, edges } = model.graph
  const types = [...nodes, ...edges]
  const uniques = nodes.flatMap(({ name: type, unique, attributes }) =>
    unique.flatMap(name =>
      allValues(name, attributes[name]!).map((value): Command => ({ does: 'unique', type, name, value })),
    ),
  )
  return [
    ...types.map((type): Command => ({ does: 'many', type: type.name, keys: model.keys(type) })),
    ...types.map((type): Command => ({ does: 'scan', type: type.name })),
    ...nodes.map((node): Command => ({ does: 'many', type: node.name, keys: idsOf(model, node) })),
    ...uniques,
    ...pathsOf(model.graph).flatMap(path => readsOf(model, path)),
  ]
}

/** Ids of existing nodes, of nodes that edges refer to, and of others. */
function idsOf(model: Model, node: DeclaredNode): unknown[] {
  const referred = model.graph.edges.flatMap(edge =>
    edge.ends.filter(end => end.node === node).flatMap(({ name }) => model.stored(edge.name).map(row => row[name])),
  )
  const ids = new Map([...model.keys(node), ...referred, ...allIds(node).slice(0, 3)].map(id => [shown(id), id]))
  return [...ids.values()].slice(0, MOST_IDS)
}

function readsOf(model: Model, path: ReadPath): Command[] {
  return givensOf(model, path).flatMap((given): Command[] => {
    const read = { path, given, consistent: false } as const
    const forwards: Command = { does: 'path', read: { ...read, reverse: false }, manner: 'all', pageRows: 1 }
    const backwards: Command = { does: 'path', read: { ...read, reverse: true }, manner: 'pages', pageRows: 2 }
    return [forwards, backwards]
  })
}

/** The start values of every partition of a path. */
function givensOf(model: Model, { type, end, startsAt, given }: ReadPath): unknown[] {
  if (end) return idsOf(model, end.node)
  const owner = (type as DeclaredNode).within
  if (startsAt !== undefined) return idsOf(model, owner!)
  if (given.length === 0) return [undefined]
  return given.reduce<Record<string, unknown>[]>(
    (all, part) => {
      const attribute = type.attributes[part]
      const values = attribute ? allValues(part, attribute) : idsOf(model, owner!)
      return all.flatMap(each => values.map(value => ({ ...each, [part]: value })))
    },
    [{}],
  )
}
