import type { Layout } from '../../layout/layout.js'
import { formatValue, isObject } from '../../schema/checks/assertions.js'
import { startReferenceOf } from '../../traverse/hop.js'
import type { TraversalSizes } from '../../traverse/wave-estimates.js'
import { assertArgument } from '../arguments.js'

/** Throws if the sizes of `explain()` name a path that no traversal follows, or are not sizes. */
export function assertTraversalSizes(layout: Layout, { degrees = {}, items, itemBytes }: TraversalSizes): void {
  assertArgument(items === undefined || isSize(items), `items is a number from 0, instead of ${formatValue(items)}`)
  assertArgument(
    itemBytes === undefined || isSize(itemBytes),
    `itemBytes is a number from 0, instead of ${formatValue(itemBytes)}`,
  )
  assertArgument(isObject(degrees), "degrees are numbers by path, as in { 'follow.by.follower': 20 }")
  const paths = new Set(layout.accesses.filter(startReferenceOf).map(({ type, name }) => `${type.name}.by.${name}`))
  for (const [path, degree] of Object.entries(degrees)) {
    assertArgument(paths.has(path), `degrees: '${path}' is not a path that starts at a node of this graph`)
    const { mean, max = mean } = isObject(degree) ? degree : { mean: degree }
    assertArgument(
      isSize(mean) && isSize(max) && max >= mean,
      `degrees of '${path}' are a number from 0, or { mean, max } with a max that is not below the mean`,
    )
  }
}

const isSize = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY
