import type { Layout } from '../../layout/layout.js'
import { formatValue, isObject } from '../../schema/checks/assertions.js'
import { startReferenceOf } from '../../traverse/hop.js'
import type { TraversalSizes } from '../../traverse/wave-estimates.js'
import { assertArgument } from '../arguments.js'

/** Throws if the sizes of `explain()` name a path that no traversal follows, or are not sizes. */
export function assertTraversalSizes(layout: Layout, { degrees = {}, items, itemBytes }: TraversalSizes): void {
  assertArgument(
    items === undefined || isSize(items),
    `items: ${formatValue(items)} is out of range; give a number from 0.`,
  )
  assertArgument(
    itemBytes === undefined || isSize(itemBytes),
    `itemBytes: ${formatValue(itemBytes)} is out of range; give a number from 0.`,
  )
  assertArgument(
    isObject(degrees),
    "degrees: the value is not an object; give numbers by path, as in { 'follow.by.follower': 20 }.",
  )
  const paths = new Set(layout.accesses.filter(startReferenceOf).map(({ type, name }) => `${type.name}.by.${name}`))
  for (const [path, degree] of Object.entries(degrees)) {
    assertArgument(
      paths.has(path),
      `degrees: '${path}' is not a path that starts at a node; give a path of this graph.`,
    )
    const { mean, max = mean } = isObject(degree) ? degree : { mean: degree }
    assertArgument(
      isSize(mean) && isSize(max) && max >= mean,
      `degrees: the degree of '${path}' is invalid; give a number from 0, or { mean, max } with a max from the mean.`,
    )
  }
}

const isSize = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY
