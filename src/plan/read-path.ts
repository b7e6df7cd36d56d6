import type { Access } from '../layout/access.js'
import type { Layout } from '../layout/layout.js'
import { identityOf } from '../layout/slots.js'
import type { PathAsk } from './ask.js'
import { resumed } from './cursor.js'
import { isPointer, rowsOf } from './hydration.js'
import { accessNamed, pathError } from './identity.js'
import type { Found, Plan, RowsShape, Step } from './plan.js'
import { ENTRY_BYTES } from './price.js'
import { projected } from './project.js'
import { isMixed, type Source, sourcesOf } from './queries.js'
import { expectedItems, pagesStep } from './step.js'
import { traitsOf } from './write-traits.js'

/** A read by a path. */
export function planPath(layout: Layout, ask: PathAsk): Plan {
  const steps: Step[] = []
  const rows = pathSteps(layout, ask, steps)
  return { steps, answer: ask.count ? { shape: 'count', rows } : rows! }
}

/** Adds its steps to those that there are, and tells how they are answered; undefined where DynamoDB counts what they find. */
export function pathSteps(layout: Layout, ask: PathAsk, steps: Step[]): RowsShape | undefined {
  const { type, path, only, count = false } = ask
  const access = accessNamed(layout, type, path)
  const sources = sourcesOf(layout, access, ask)
  const lagging = ask.consistent && sources.find(source => !source.access.consistent)
  if (lagging)
    throw pathError(
      'read.consistent',
      access,
      `reads the index ${lagging.place.name}, which is never strongly consistent: read without`,
    )
  const { shards } = access
  const pointer = sources.some(source => isPointer(layout, source.access))
  // From both ends an edge of a node with itself is found twice: only its key tells. What only points to an item does
  // not tell whether it is gone.
  const { timed, canBeGoing } = traitsOf(layout, type)
  const counted = count && !sources.some(({ turned }) => turned) && !(pointer && (timed || canBeGoing))
  const note = shards > 1 && `one of ${shards} shards, merged in order`
  const items = Math.ceil(expectedItems(ask) / shards)
  const queries = sources.map((source, i) => {
    const { place, tests, marks } = source
    const attributes = only && !counted && !pointer && projected(layout, source.access.kind, only, place)
    return pagesStep(layout, steps.length + i, ask, {
      index: place.name,
      tests,
      marks: isMixed(layout, source) && marks,
      attributes,
      counted: counted && access.type,
      items,
      itemBytes: pointer ? ENTRY_BYTES : undefined,
      note,
    })
  })
  steps.push(...resumed(layout, queries, ask.cursor))
  return counted ? undefined : rowsOf(layout, ask, access, foundBy(ask, access, sources, queries), steps, pointer)
}

function foundBy(
  { reverse = false, limit, count }: PathAsk,
  access: Access,
  sources: readonly Source[],
  queries: readonly Step[],
): Found {
  const steps = queries.map(({ id }) => id)
  const back = sources.findIndex(source => source.turned)
  const told = [...access.given, ...access.parts]
  const strict = back < 0 && identityOf(access.type).every(slot => told.includes(slot))
  return {
    steps,
    reverse,
    kind: access.kind.name,
    ...(sources.length > 1 && {
      sorts: sources.map(({ place, known = 0 }) => ({ by: place.sort[0]!, after: known, strict })),
    }),
    ...(back >= 0 && { turned: { steps: steps.slice(back), kind: sources[back]!.access.kind.name } }),
    limit: count ? undefined : limit,
  }
}
