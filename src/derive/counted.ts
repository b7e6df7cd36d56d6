import type { AttributeValue, Item, Key } from '../dynamodb/attribute-value.js'
import { sumOf } from '../layout/derived.js'
import type { Layout } from '../layout/layout.js'
import { keyText } from '../plan/identity.js'

/** Numbers by the stored names of counters. */
export type Numbers = Readonly<Record<string, AttributeValue>>

/** What a node's counters have of a side item: in which life of the node, by which counting. */
export interface Counted {
  readonly life: string
  readonly tag: string
  readonly of: Numbers
}

export function countedOf({ names }: Layout, item: Item): Counted | undefined {
  const { life, tag, of } = item[names.counted]?.M ?? {}
  return tag?.S === undefined ? undefined : { life: life?.S ?? '', tag: tag.S, of: of?.M ?? {} }
}

export const countedValue = ({ life, tag, of }: Counted): AttributeValue => ({
  M: { life: { S: life }, tag: { S: tag }, of: { M: { ...of } } },
})

/** Adds numbers to others, or takes them away. */
export function addTo(total: Record<string, AttributeValue>, more: Numbers, sign: 1 | -1 = 1): void {
  for (const name in more) total[name] = sumOf(total[name], more[name], sign)
}

/** Numbers that are added up in any order: what has too many digits together with some may have fewer with others. */
export class Total {
  readonly of: Record<string, AttributeValue> = {}
  private readonly rest: Numbers[] = []

  add(more: Numbers): void {
    for (const name in more) this.tryTo({ [name]: more[name]! })
  }

  /** The names of those that have more digits than a number can have, whatever is added first. */
  endless(): Set<string> {
    for (let before = -1; before !== this.rest.length; ) {
      before = this.rest.length
      for (const each of this.rest.splice(0)) this.tryTo(each)
    }
    return new Set(this.rest.flatMap(each => Object.keys(each)))
  }

  /** All of them. Throws where one of them cannot be told. */
  whole(): Record<string, AttributeValue> {
    this.endless()
    for (const each of this.rest) addTo(this.of, each)
    return this.of
  }

  private tryTo(one: Numbers): void {
    try {
      addTo(this.of, one)
    } catch {
      this.rest.push(one)
    }
  }
}

/** What has to be added to the one to come to the other; undefined where nothing has. */
export function difference(from: Numbers, to: Numbers): Numbers | undefined {
  const more: Record<string, AttributeValue> = {}
  addTo(more, to)
  addTo(more, from, -1)
  return Object.values(more).every(({ N }) => N === '0') ? undefined : more
}

/** Names what was counted of a side item, whether it stands on the item or on its tombstone; the empty text: nothing. */
export function countingText(layout: Layout, side: Key, item: Item): string {
  const tag = countedOf(layout, item)?.tag
  return tag === undefined ? '' : `${keyText(layout, side)}\n${tag}`
}
