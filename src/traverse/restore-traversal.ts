import type { Layout } from '../layout/layout.js'
import type { Filter } from '../plan/expression.js'
import { typeByName } from '../plan/identity.js'
import { planPath } from '../plan/read/path.js'
import { isObject, isPositiveInteger } from '../schema/checks/assertions.js'
import { GraphError } from '../schema/error.js'
import { exampleIdOf } from './example-id.js'
import { canVanish, hopOf, nodeRefOf, startOfHop } from './hop.js'
import type { NodeTest } from './node-test.js'
import { parseNodeTest } from './node-test-data.js'
import { fromPlainData } from './plain-data.js'
import { isStoredValue } from './stored-value.js'
import type { Hop, NodeCheck, TraversalData, TraversalStep } from './traversal.js'

type Data = Readonly<Record<string, unknown>>

/**
 * The traversal that was stored as data. Paths, conditions and ids are checked against the graph, which may have
 * changed since.
 */
export function restoreTraversal(layout: Layout, given: unknown, tenant: string | undefined): TraversalData {
  const data = objectIn(fromPlainData(given), 'a traversal')
  const { start, steps, consistent } = data
  const type = typeByName(layout, String(data.type))
  if (type.kind !== 'node' || !Array.isArray(start) || start.length === 0 || !Array.isArray(steps))
    throw invalidData('it has no nodes to start at, or no steps')
  const restored: TraversalStep[] = []
  let at: string = type.name
  for (const each of steps) {
    const step = restoreStep({ layout, tenant }, at, objectIn(each, 'a step'))
    restored.push(step)
    if ('hop' in step) at = step.hop.reached
  }
  const refs = start.map(ref => nodeRefOf(layout, type, objectIn(ref, 'a node').id))
  return {
    type: type.name,
    start: [...new Map(refs.map(ref => [ref.key, ref])).values()],
    check: { read: canVanish(layout, type.name) },
    steps: restored,
    ...(consistent === true && { consistent }),
  }
}

interface RestoreContext {
  readonly layout: Layout
  readonly tenant: string | undefined
}

function restoreStep(context: RestoreContext, at: string, step: Data): TraversalStep {
  const { layout } = context
  const testIn = (type: string, test: unknown): NodeTest | undefined =>
    test === undefined ? undefined : parseNodeTest(typeByName(layout, type), test)
  const checkIn = (type: string): NodeCheck => {
    const test = testIn(type, isObject(step.check) ? step.check.test : undefined)
    return { read: test !== undefined || canVanish(layout, type), test }
  }
  switch (step.kind) {
    case 'hop': {
      const hop = restoreHop(context, at, step.hop)
      return { kind: 'hop', hop, check: checkIn(hop.reached) }
    }
    case 'repeat': {
      const hop = restoreHop(context, at, step.hop)
      const { minDepth, maxDepth, visits } = step
      const until = testIn(hop.reached, step.until)
      const isDepth = (depth: unknown): depth is number => depth === 0 || isPositiveInteger(depth)
      const areDepths = isDepth(minDepth) && isDepth(maxDepth) && maxDepth > 0 && minDepth <= maxDepth
      if (!areDepths || (visits !== 'once' && visits !== 'simple') || hop.reached !== hop.start)
        throw invalidData('it repeats a hop in a way that does not exist')
      return { kind: 'repeat', hop, check: checkIn(at), minDepth, maxDepth, visits, ...(until && { until }) }
    }
    case 'except':
      if (step.nodes !== 'visited' && step.nodes !== 'start') break
      return { kind: 'except', nodes: step.nodes }
    case 'filter':
      return { kind: 'filter', type: at, check: { ...checkIn(at), read: true } }
    case 'limit':
      if (!isPositiveInteger(step.nodes)) break
      return { kind: 'limit', nodes: step.nodes as number }
  }
  throw invalidData('it has a step that does not exist')
}

function restoreHop({ layout, tenant }: RestoreContext, at: string, given: unknown): Hop {
  const { type, path, read = {} } = objectIn(given, 'a hop')
  const { where, filter, reverse, limit, consistent } = objectIn(read, 'a read')
  const query = {
    type: String(type),
    path: String(path),
    where: where === undefined ? undefined : objectIn(where, 'where'),
    filter: filter === undefined ? undefined : parseFilter(filter),
    reverse: reverse === true || undefined,
    limit: limit as number | undefined,
    consistent: consistent === true || undefined,
  }
  const hop = hopOf(layout, at, query)
  // The plan of an example checks the range, the limit and the consistency.
  planPath(layout, { ...query, start: startOfHop(hop, exampleIdOf(typeByName(layout, at))), tenant })
  return hop
}

function parseFilter(given: unknown): Filter {
  const { expression, names = {}, values = {} } = objectIn(given, 'a filter')
  const areTexts = isObject(names) && Object.values(names).every(name => typeof name === 'string')
  if (typeof expression !== 'string' || !areTexts || !isObject(values) || !Object.values(values).every(isStoredValue))
    throw invalidData('a filter of it is not an expression')
  return { expression, names: names as Record<string, string>, values: values as NonNullable<Filter['values']> }
}

function objectIn(value: unknown, what: string): Data {
  if (!isObject(value)) throw invalidData(`${what} of it is not an object`)
  return value
}

const invalidData = (problem: string) =>
  new GraphError(
    'call.argument',
    `traversal: the data is not of a traversal of this graph (${problem}); give the result of data().`,
  )
