import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { storeItem, textOf } from '../layout/store-item.js'
import type { PathAsk, PathRead, ReadOptions } from './ask.js'
import { sameValue } from './change-values.js'
import type { KeyTests } from './expression.js'
import { isPointer, rowsOf } from './hydration.js'
import { accessNamed, identityValues, keyOf, kindOf, pathError, tenantValues } from './identity.js'
import { partValues, referencesOf } from './members.js'
import { EVERYTHING, landing, type Place } from './partition.js'
import type { NodeShape, Plan, RowsShape, Step } from './plan.js'
import { sourcesOf } from './queries.js'
import { itemStep } from './read-item.js'
import { pathSteps } from './read-path.js'
import { isOnlyInPartition, type Part, type Run, runsOf, type Wanted } from './runs.js'
import { expectedItems, pagesStep } from './step.js'
import { givenValues } from './where.js'

/** A node and what lies beside it, in the fewest requests. */
export function planCollect(
  layout: Layout,
  typeName: string,
  id: unknown,
  reads: Readonly<Record<string, PathRead & Pick<PathAsk, 'given' | 'consistent'>>>,
  options: ReadOptions = {},
): Plan {
  const kind = kindOf(layout, typeName)
  const values = { ...tenantValues(options.tenant), ...identityValues(kind.type, id) }
  const item = storeItem(kind, layout.names, values)
  const key = keyOf(layout.names, item)
  const parts = Object.entries(reads).map(([name, read]) =>
    partOf(layout, kind, name, id, { ...options, given: id, ...read }),
  )
  const steps: Step[] = []
  const shapes = new Map<string, RowsShape>()
  let node: NodeShape | undefined
  for (const wanted of partitionsOf(parts)) {
    const { place, text, tests } = wanted[0]!.part!.source!
    const low = place.sort[0] ? item[place.sort[0]]?.S : ''
    if (!node && textOf(item[place.partition[0]!]) === text && low !== undefined)
      wanted.push({
        marks: [kind.mark],
        span: low ? { low, high: low } : EVERYTHING,
        isOnly: isOnlyInPartition(kind, place),
      })
    for (const run of runsOf(landing(layout.kinds, place, text!), wanted)) {
      const step = runStep(layout, run, place, tests[0]!, steps.length, options)
      steps.push(step)
      for (const { part } of run.wanted)
        if (part) shapes.set(part.name, partShape(layout, part, step, steps))
        else node = { step: step.id, kind: kind.name, key }
    }
  }
  if (!node) {
    node = { step: steps.length, kind: kind.name, key }
    steps.push(itemStep(layout, steps.length, options, key))
  }
  const all = parts.map(({ name, ask }) => [name, shapes.get(name) ?? pathSteps(layout, ask, steps)!] as const)
  return { steps, answer: { shape: 'collection', node, parts: Object.fromEntries(all) } }
}

function partOf(layout: Layout, { type }: Kind, name: string, id: unknown, ask: PathAsk): Part {
  const access = accessNamed(layout, ask.type, ask.path)
  const isNode = access.type.kind === 'node'
  // Of what a node owns, each path that is given it by name starts at it too.
  const start = referencesOf(access.type).find(({ name, node }) => node === type && (isNode || name === ask.path))
  if (!start) throw pathError('read.path', access, `does not start at a ${type.name}`)
  const given = givenValues(access, ask.given)
  if (!sameValue({ M: given }, { M: { ...given, ...partValues(access.type, { [start.name]: id }) } }))
    throw pathError('call.given', access, `does not start at this ${type.name}: give it the same id`)
  const alone = ask.where ?? ask.filter ?? (isPointer(layout, access) || (ask.consistent && !access.consistent))
  const [source, more] = alone ? [] : sourcesOf(layout, access, ask)
  return { name, ask, source: !more && source?.text ? source : undefined }
}

/** What can be read together, by where it lies, the table first: there the node can be read consistently. */
function partitionsOf(parts: readonly Part[]): Wanted[][] {
  const partitions = new Map<string, Wanted[]>()
  for (const part of parts) {
    if (!part.source) continue
    const { place, text, marks, span } = part.source
    const key = JSON.stringify([place.name ?? '', text])
    const wanted = partitions.get(key) ?? []
    partitions.set(key, wanted)
    // What was asked for twice is read with the others once.
    if (!wanted.some(other => other.marks.some(mark => marks.includes(mark))))
      wanted.push({ part, marks, span: span!, limit: part.ask.limit })
  }
  // The name of the table, which has none, sorts first.
  return [...partitions].sort().map(([, wanted]) => wanted)
}

function partShape(layout: Layout, { ask, source }: Part, { id, pages }: Step, steps: Step[]): RowsShape {
  const { access, marks } = source!
  const { limit, reverse = false } = ask
  const backwards = reverse && pages!.until === 'end'
  const found = { steps: [id], reverse, kind: access.kind.name, marks, limit, backwards }
  return rowsOf(layout, ask, access, found, steps)
}

function runStep(
  layout: Layout,
  { span, wanted, mixed }: Run,
  place: Place,
  partition: KeyTests[number],
  id: number,
  options: ReadOptions,
): Step {
  const limited = wanted.find(each => each.limit)
  const reverse = limited?.part?.ask.reverse
  const tests = [partition]
  if (span && place.sort[0]) tests.push([place.sort[0], { from: span.low, to: span.high }])
  const marks = mixed && wanted.flatMap(each => each.marks)
  const limit = limited && limited.limit! + 1
  const items = expectedItems(options)
  const expected = wanted.reduce((sum, { part, limit: most = items }) => sum + (part ? Math.min(most, items) : 1), 0)
  const note = reverse && 'backwards: the node sorts last'
  const pages = { index: place.name, tests, marks, items: expected, note }
  return pagesStep(
    layout,
    id,
    { ...options, limit, reverse, consistent: wanted.some(each => each.part?.ask.consistent) },
    pages,
  )
}
