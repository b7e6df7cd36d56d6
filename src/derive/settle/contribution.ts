import type { AttributeValue, Item, Key } from '../../dynamodb/attribute-value.js'
import { addNumberValues } from '../../layout/items/derived-values.js'
import type { Layout } from '../../layout/layout.js'
import { uniqueKeyTextOf } from '../../plan/identity.js'

/** Numbers by the stored names of counters. */
export type CounterAmounts = Readonly<Record<string, AttributeValue>>

/** The amounts that a node's counters hold for a side item, with the node's incarnation and the tag of that count. */
export interface CountedContribution {
  readonly life: string
  readonly tag: string
  readonly amounts: CounterAmounts
}

export function contributionOf({ names }: Layout, item: Item): CountedContribution | undefined {
  const { life, tag, of } = item[names.countedState]?.M ?? {}
  return tag?.S === undefined ? undefined : { life: life?.S ?? '', tag: tag.S, amounts: of?.M ?? {} }
}

export const toContributionValue = ({ life, tag, amounts }: CountedContribution): AttributeValue => ({
  M: { life: { S: life }, tag: { S: tag }, of: { M: { ...amounts } } },
})

/** Adds amounts to a total, or subtracts them. */
export function addCounterAmounts(
  total: Record<string, AttributeValue>,
  amounts: CounterAmounts,
  sign: 1 | -1 = 1,
): void {
  for (const name in amounts) total[name] = addNumberValues(total[name], amounts[name], sign)
}

/** Sums of numbers in any order. A partial sum may need more than 38 digits although the total does not. */
export class CounterTotals {
  readonly sums: Record<string, AttributeValue> = {}
  private readonly overflowing: CounterAmounts[] = []

  add(amounts: CounterAmounts): void {
    for (const name in amounts) this.tryAdd({ [name]: amounts[name]! })
  }

  /** Returns the names of counters whose total exceeds 38 digits in every order of addition. */
  findOverflowingNames(): Set<string> {
    for (let previousCount = -1; previousCount !== this.overflowing.length; ) {
      previousCount = this.overflowing.length
      for (const amounts of this.overflowing.splice(0)) this.tryAdd(amounts)
    }
    return new Set(this.overflowing.flatMap(amounts => Object.keys(amounts)))
  }

  /** Returns all totals. Throws if a total exceeds 38 digits. */
  toAmounts(): Record<string, AttributeValue> {
    this.findOverflowingNames()
    for (const amounts of this.overflowing) addCounterAmounts(this.sums, amounts)
    return this.sums
  }

  private tryAdd(amounts: CounterAmounts): void {
    try {
      addCounterAmounts(this.sums, amounts)
    } catch {
      this.overflowing.push(amounts)
    }
  }
}

/** Returns the amounts to add to `from` to reach `to`, or undefined if they are equal. */
export function diffAmounts(from: CounterAmounts, to: CounterAmounts): CounterAmounts | undefined {
  const delta: Record<string, AttributeValue> = {}
  addCounterAmounts(delta, to)
  addCounterAmounts(delta, from, -1)
  return Object.values(delta).every(({ N }) => N === '0') ? undefined : delta
}

/**
 * Returns an id for the counted contribution of a side item or its tombstone, or an empty string if nothing was
 * counted.
 */
export function contributionIdOf(layout: Layout, side: Key, item: Item): string {
  const tag = contributionOf(layout, item)?.tag
  return tag === undefined ? '' : `${uniqueKeyTextOf(layout, side)}\n${tag}`
}
