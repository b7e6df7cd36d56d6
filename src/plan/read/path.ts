import type { Access } from '../../layout/access/access.js'
import type { Layout } from '../../layout/layout.js'
import { identitySlotsOf } from '../../layout/slots.js'
import { accessByName, pathError } from '../identity.js'
import type { Plan, PlanStep, RowSelection, RowsShape } from '../plan.js'
import { ENTRY_BYTES } from '../price/read-price.js'
import { expectedItems, pagesStep } from '../step.js'
import { traitsOf } from '../type-traits.js'
import { resumeSteps } from './cursor.js'
import { addRowsShape, readsPointers } from './hydration.js'
import type { PathQuery } from './options.js'
import { projectedNamesOf } from './projection.js'
import { canMeetOtherKinds, type QuerySource, querySourcesOf } from './query-sources.js'

/** Plans a read by a path. */
export function planPath(layout: Layout, query: PathQuery): Plan {
  const steps: PlanStep[] = []
  const rows = addPathSteps(layout, query, steps)
  return { steps, answer: query.count ? { shape: 'count', rows } : rows! }
}

/**
 * Appends the steps of a path to existing steps and returns how to decode them. Returns undefined when DynamoDB
 * counts the rows.
 */
export function addPathSteps(layout: Layout, query: PathQuery, steps: PlanStep[]): RowsShape | undefined {
  const { type, path, only, count = false } = query
  const access = accessByName(layout, type, path)
  const sources = querySourcesOf(layout, access, query)
  const eventualSource = query.consistent && sources.find(source => !source.access.consistent)
  if (eventualSource)
    throw pathError(
      'read.consistent',
      access,
      `the index '${eventualSource.target.name}' is never strongly consistent; read without consistent()`,
    )
  const { shards } = access
  const findsPointers = sources.some(source => readsPointers(layout, source.access))
  // A self-loop is found from both ends, and only its key reveals it. A pointer does not show whether its item
  // is expired or being deleted.
  const { expiryName, canBeDeleting } = traitsOf(layout, type)
  const usesSelectCount =
    count && !sources.some(({ endsSwapped }) => endsSwapped) && !(findsPointers && (expiryName || canBeDeleting))
  const note = shards > 1 && `one of ${shards} shards, merged in order`
  const items = Math.ceil(expectedItems(query) / shards)
  const queries = sources.map((source, i) => {
    const { target, tests, typeMarks } = source
    const attributes =
      only && !usesSelectCount && !findsPointers && projectedNamesOf(layout, source.access.kind, only, target)
    return pagesStep(layout, steps.length + i, query, {
      index: target.name,
      tests,
      typeMarks: canMeetOtherKinds(layout, source) && typeMarks,
      attributes,
      countedType: usesSelectCount && access.type,
      items,
      itemBytes: findsPointers ? ENTRY_BYTES : undefined,
      note,
    })
  })
  steps.push(...resumeSteps(layout, queries, query.cursor))
  return usesSelectCount
    ? undefined
    : addRowsShape(layout, query, access, rowSelectionOf(query, access, sources, queries), steps, findsPointers)
}

function rowSelectionOf(
  { reverse = false, limit, count }: PathQuery,
  access: Access,
  sources: readonly QuerySource[],
  queries: readonly PlanStep[],
): RowSelection {
  const steps = queries.map(({ id }) => id)
  const otherEndIndex = sources.findIndex(source => source.endsSwapped)
  const keySlots = [...access.requiredSlots, ...access.sortSlots]
  const strict = otherEndIndex < 0 && identitySlotsOf(access.type).every(slot => keySlots.includes(slot))
  return {
    steps,
    reverse,
    kind: access.kind.name,
    ...(sources.length > 1 && {
      sortOrders: sources.map(({ target, knownPrefixLength = 0 }) => ({
        attribute: target.sort[0]!,
        prefixLength: knownPrefixLength,
        strict,
      })),
    }),
    ...(otherEndIndex >= 0 && {
      fromOtherEnd: { steps: steps.slice(otherEndIndex), kind: sources[otherEndIndex]!.access.kind.name },
    }),
    limit: count ? undefined : limit,
  }
}
