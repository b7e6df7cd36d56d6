import type { Template } from '../template.js'
import { type Choice, keysOf, seenBy, statesGiven } from './language.js'
import { type Found, search } from './search.js'
import type { Example } from './words.js'

/** A key that the template makes of two different sets of values. */
export function ambiguous(template: Template): Found | undefined {
  return preferFilled(choice => {
    const keys = keysOf(template, choice)
    return search(keys, keys, (left, right) => left === right)
  })
}

/** A key that a read sees although its parts are not those that the read gave, whichever number of them from `given` on. */
export function ownValues(template: Template, given: number): Found | undefined {
  for (let count = Math.max(given, 1); count < template.slots.length; count++) {
    const read = preferFilled(choice => {
      const states = statesGiven(template, count, choice)
      const within = (state: number) => Math.min(state, states + 1)
      return search(seenBy(template, count, choice), keysOf(template, choice), (a, b) => within(a) === within(b))
    })
    if (read) return read
  }
  return undefined
}

interface Keys {
  readonly partition: Template
  readonly sort: Template
}

/**
 * Keys that both sides have, partition and sort. Where `given` is there, the left side is a read that gives so many slots
 * of the sort key. The values are made to agree where a slot is in both keys; where none are found that do, the keys are
 * still an example, but not a certain one.
 */
export function both(left: Keys, right: Keys, given = left.sort.slots.length): Example | undefined {
  const partitions = (a: Choice, b: Choice) => search(keysOf(left.partition, a), keysOf(right.partition, b))
  const sorts = (a: Choice, b: Choice) => search(seenBy(left.sort, given, a), keysOf(right.sort, b))
  if (!mayBeginAlike(left.partition, right.partition)) return undefined
  const partition = preferFilled(choice => partitions(choice, choice))
  if (!partition) return undefined
  const sort = preferFilled(choice => sorts(choice, choice))
  if (!sort) return undefined
  const agreeing = sorts({ pinned: partition.left }, { pinned: partition.right })
  if (agreeing) return example(partition, agreeing, true)
  const turned = partitions({ pinned: sort.left }, { pinned: sort.right })
  return turned ? example(turned, sort, true) : example(partition, sort, false)
}

/** Most kinds differ in their first literal, which is cheaper to see than to search for. */
function mayBeginAlike({ literals: [left = ''] }: Template, { literals: [right = ''] }: Template): boolean {
  return left.startsWith(right) || right.startsWith(left)
}

function example(partition: Found, sort: Found, certain: boolean): Example {
  return {
    texts: [partition.text, sort.text],
    left: { ...partition.left, ...sort.left },
    right: { ...partition.right, ...sort.right },
    certain,
  }
}

/** An example without empty parts, if there is one, since it reads better. */
function preferFilled(find: (choice: Choice) => Found | undefined): Found | undefined {
  const any = find({})
  return any && (find({ filled: true }) ?? any)
}
