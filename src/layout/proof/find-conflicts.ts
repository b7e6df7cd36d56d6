import type { Counterexample } from '../../schema/error-details.js'
import type { KeyTemplate } from '../keys/template.js'
import { countGivenStates, type KeyConstraints, keyAutomatonOf, readAutomatonOf } from './key-automata.js'
import { findSharedText, type SharedText } from './text-search.js'

/** Finds a key that the template makes from two different sets of values. */
export function findAmbiguousKey(template: KeyTemplate): SharedText | undefined {
  return preferFilled(choice => {
    const keys = keyAutomatonOf(template, choice)
    return findSharedText(keys, keys, (left, right) => left === right)
  })
}

/**
 * Finds a key that a read returns although its parts differ from the requested ones, for each number of given slots
 * from `slotCount` on.
 */
export function findUnrequestedKey(template: KeyTemplate, slotCount: number): SharedText | undefined {
  for (let count = Math.max(slotCount, 1); count < template.slots.length; count++) {
    const found = preferFilled(choice => {
      const states = countGivenStates(template, count, choice)
      const clampState = (state: number) => Math.min(state, states + 1)
      return findSharedText(
        readAutomatonOf(template, count, choice),
        keyAutomatonOf(template, choice),
        (a, b) => clampState(a) === clampState(b),
      )
    })
    if (found) return found
  }
  return undefined
}

interface KeyTemplatePair {
  readonly partition: KeyTemplate
  readonly sort: KeyTemplate
}

/**
 * Finds a partition and sort key that both sides can have. With `slotCount`, the left side is a read that gives this
 * many slots of the sort key. Values of a slot in both keys are made to agree; if no agreeing values are found, the
 * example is marked as uncertain.
 */
export function findSharedKey(
  left: KeyTemplatePair,
  right: KeyTemplatePair,
  slotCount = left.sort.slots.length,
): Counterexample | undefined {
  const partitions = (a: KeyConstraints, b: KeyConstraints) =>
    findSharedText(keyAutomatonOf(left.partition, a), keyAutomatonOf(right.partition, b))
  const sorts = (a: KeyConstraints, b: KeyConstraints) =>
    findSharedText(readAutomatonOf(left.sort, slotCount, a), keyAutomatonOf(right.sort, b))
  if (!mayBeginAlike(left.partition, right.partition)) return undefined
  const partition = preferFilled(choice => partitions(choice, choice))
  if (!partition) return undefined
  const sort = preferFilled(choice => sorts(choice, choice))
  if (!sort) return undefined
  const agreeingSort = sorts({ fixedTexts: partition.left }, { fixedTexts: partition.right })
  if (agreeingSort) return toCounterexample(partition, agreeingSort, true)
  const agreeingPartition = partitions({ fixedTexts: sort.left }, { fixedTexts: sort.right })
  return agreeingPartition ? toCounterexample(agreeingPartition, sort, true) : toCounterexample(partition, sort, false)
}

/** Whether the first literals are compatible. Most kinds differ here, and this test is much cheaper than a search. */
function mayBeginAlike({ literals: [left = ''] }: KeyTemplate, { literals: [right = ''] }: KeyTemplate): boolean {
  return left.startsWith(right) || right.startsWith(left)
}

function toCounterexample(partition: SharedText, sort: SharedText, isCertain: boolean): Counterexample {
  return {
    texts: [partition.text, sort.text],
    left: { ...partition.left, ...sort.left },
    right: { ...partition.right, ...sort.right },
    isCertain,
  }
}

/** Prefers an example without empty parts, which is easier to read. */
function preferFilled(find: (choice: KeyConstraints) => SharedText | undefined): SharedText | undefined {
  const first = find({})
  return first && (find({ withoutEmptyParts: true }) ?? first)
}
