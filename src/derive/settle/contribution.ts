import type { AttributeValue, Item, Key } from '../../dynamodb/attribute-value.js'
import { addNumberValues } from '../../layout/items/derived-values.js'
import type { Layout } from '../../layout/layout.js'
import { uniqueKeyTextOf } from '../../plan/identity.js'

/** Numbers by the stored names of counters. */
export type CounterAmounts = Readonly<Record<string, AttributeValue>>

/** What a node's counters have of a side item: in which life of the node, by which counting. */
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

/** Adds numbers to others, or takes them away. */
export function addCounterAmounts(
  total: Record<string, AttributeValue>,
  amounts: CounterAmounts,
  sign: 1 | -1 = 1,
): void {
  for (const name in amounts) total[name] = addNumberValues(total[name], amounts[name], sign)
}

/** Numbers that are added up in any order: what has too many digits together with some may have fewer with others. */
export class CounterTotals {
  readonly sums: Record<string, AttributeValue> = {}
  private readonly overflowing: CounterAmounts[] = []

  add(amounts: CounterAmounts): void {
    for (const name in amounts) this.tryAdd({ [name]: amounts[name]! })
  }

  /** The names of those that have more digits than a number can have, whatever is added first. */
  findOverflowingNames(): Set<string> {
    for (let previousCount = -1; previousCount !== this.overflowing.length; ) {
      previousCount = this.overflowing.length
      for (const amounts of this.overflowing.splice(0)) this.tryAdd(amounts)
    }
    return new Set(this.overflowing.flatMap(amounts => Object.keys(amounts)))
  }

  /** All of them. Throws where one of them cannot be told. */
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

/** What has to be added to the one to come to the other; undefined where nothing has. */
export function diffAmounts(from: CounterAmounts, to: CounterAmounts): CounterAmounts | undefined {
  const delta: Record<string, AttributeValue> = {}
  addCounterAmounts(delta, to)
  addCounterAmounts(delta, from, -1)
  return Object.values(delta).every(({ N }) => N === '0') ? undefined : delta
}

/** Names what was counted of a side item, whether it stands on the item or on its tombstone; the empty text: nothing. */
export function contributionIdOf(layout: Layout, side: Key, item: Item): string {
  const tag = contributionOf(layout, item)?.tag
  return tag === undefined ? '' : `${uniqueKeyTextOf(layout, side)}\n${tag}`
}
