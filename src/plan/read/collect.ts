import { composeItem, keyAttributeText } from '../../layout/items/compose-item.js'
import type { Kind } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import type { KeyTests } from '../expression.js'
import { accessByName, encodeIdentity, keyOfItem, ownKindByName, pathError, tenantValues } from '../identity.js'
import { encodeParts, referencesOf } from '../members.js'
import type { NodeShape, Plan, PlanStep, RowsShape } from '../plan.js'
import { isSameValue } from '../slot-values.js'
import { expectedItems, pagesStep } from '../step.js'
import { addRowsShape, readsPointers } from './hydration.js'
import { getItemStep } from './item.js'
import {
  type CollectPart,
  isOnlyInPartition,
  type MergedQuery,
  mergeQueries,
  type WantedSpan,
} from './merged-queries.js'
import type { PathQuery, PathRead, ReadOptions } from './options.js'
import { kindSpansOf, type QueryTarget, WHOLE_PARTITION } from './partition.js'
import { addPathSteps } from './path.js'
import { querySourcesOf } from './query-sources.js'
import { encodeStart } from './where.js'

/** Plans reading a node and its related items in the fewest requests. */
export function planCollect(
  layout: Layout,
  typeName: string,
  id: unknown,
  reads: Readonly<Record<string, PathRead & Pick<PathQuery, 'start' | 'consistent'>>>,
  options: ReadOptions = {},
): Plan {
  const kind = ownKindByName(layout, typeName)
  const values = { ...tenantValues(options.tenant), ...encodeIdentity(kind.type, id) }
  const item = composeItem(kind, layout.names, values)
  const key = keyOfItem(layout.names, item)
  const itemWrites = Object.entries(reads).map(([name, read]) =>
    collectPartOf(layout, kind, name, id, { ...options, start: id, ...read }),
  )
  const steps: PlanStep[] = []
  const shapes = new Map<string, RowsShape>()
  let node: NodeShape | undefined
  for (const wanted of groupByPartition(itemWrites)) {
    const { target, partitionText, tests } = wanted[0]!.part!.source!
    const low = target.sort[0] ? item[target.sort[0]]?.S : ''
    if (!node && keyAttributeText(item[target.partition[0]!]) === partitionText && low !== undefined)
      wanted.push({
        typeMarks: [kind.typeMark],
        span: low ? { low, high: low } : WHOLE_PARTITION,
        isOnly: isOnlyInPartition(kind, target),
      })
    for (const run of mergeQueries(kindSpansOf(layout.kinds, target, partitionText!), wanted)) {
      const step = mergedQueryStep(layout, run, target, tests[0]!, steps.length, options)
      steps.push(step)
      for (const { part } of run.spans)
        if (part) shapes.set(part.name, addPartShape(layout, part, step, steps))
        else node = { step: step.id, kind: kind.name, key }
    }
  }
  if (!node) {
    node = { step: steps.length, kind: kind.name, key }
    steps.push(getItemStep(layout, steps.length, options, key))
  }
  const all = itemWrites.map(
    ({ name, query }) => [name, shapes.get(name) ?? addPathSteps(layout, query, steps)!] as const,
  )
  return { steps, answer: { shape: 'collection', node, parts: Object.fromEntries(all) } }
}

function collectPartOf(layout: Layout, { type }: Kind, name: string, id: unknown, query: PathQuery): CollectPart {
  const access = accessByName(layout, query.type, query.path)
  const isNode = access.type.kind === 'node'
  // For a child node type, every path named in the query also starts at the child.
  const start = referencesOf(access.type).find(({ name, node }) => node === type && (isNode || name === query.path))
  if (!start) throw pathError('read.path', access, `the path does not start at a '${type.name}'; give a path that does`)
  const startValues = encodeStart(access, query.start)
  if (!isSameValue({ M: startValues }, { M: { ...startValues, ...encodeParts(access.type, { [start.name]: id }) } }))
    throw pathError(
      'call.argument',
      access,
      `the path starts at another '${type.name}' than the node; give it the same id`,
    )
  const alone =
    query.where ?? query.filter ?? (readsPointers(layout, access) || (query.consistent && !access.consistent))
  const [source, secondSource] = alone ? [] : querySourcesOf(layout, access, query)
  return { name, query, source: !secondSource && source?.partitionText ? source : undefined }
}

/**
 * Groups the parts that one Query can read by partition. The table comes first, because only the table allows a
 * strongly consistent read of the node.
 */
function groupByPartition(parts: readonly CollectPart[]): WantedSpan[][] {
  const partitions = new Map<string, WantedSpan[]>()
  for (const part of parts) {
    if (!part.source) continue
    const { target, partitionText, typeMarks, span } = part.source
    const key = JSON.stringify([target.name ?? '', partitionText])
    const wanted = partitions.get(key) ?? []
    partitions.set(key, wanted)
    // A part that is requested twice is read only the first time.
    if (!wanted.some(other => other.typeMarks.some(mark => typeMarks.includes(mark))))
      wanted.push({ part, typeMarks, span: span!, limit: part.query.limit })
  }
  // The table has an empty name and sorts first.
  return [...partitions].sort().map(([, wanted]) => wanted)
}

function addPartShape(
  layout: Layout,
  { query, source }: CollectPart,
  { id, pages }: PlanStep,
  steps: PlanStep[],
): RowsShape {
  const { access, typeMarks } = source!
  const { limit, reverse = false } = query
  const readBackwards = reverse && pages!.until === 'end'
  const found = { steps: [id], reverse, kind: access.kind.name, typeMarks, limit, readBackwards }
  return addRowsShape(layout, query, access, found, steps)
}

function mergedQueryStep(
  layout: Layout,
  { span, spans, hasOtherKinds }: MergedQuery,
  place: QueryTarget,
  partition: KeyTests[number],
  id: number,
  options: ReadOptions,
): PlanStep {
  const limited = spans.find(each => each.limit)
  const reverse = limited?.part?.query.reverse
  const tests = [partition]
  if (span && place.sort[0]) tests.push([place.sort[0], { from: span.low, to: span.high }])
  const typeMarks = hasOtherKinds && spans.flatMap(each => each.typeMarks)
  const limit = limited && limited.limit! + 1
  const items = expectedItems(options)
  const expected = spans.reduce(
    (sum, { part, limit: maxRows = items }) => sum + (part ? Math.min(maxRows, items) : 1),
    0,
  )
  const note = reverse && 'backwards: the node sorts last'
  const pages = { index: place.name, tests, typeMarks, items: expected, note }
  return pagesStep(
    layout,
    id,
    { ...options, limit, reverse, consistent: spans.some(each => each.part?.query.consistent) },
    pages,
  )
}
