import type { Item, Key } from '../dynamodb/attribute-value.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { TENANT_SLOT } from '../layout/slots.js'
import { compareUtf8 } from '../layout/template-order.js'
import { keyOf, referencesOf, referredValues, tableKey } from './identity.js'
import type { Found, Late } from './plan.js'
import { isLive, valuesOf } from './row.js'

/** What DynamoDB answers to any of the reads. */
export interface Answer {
  readonly Item?: Item | undefined
  readonly Items?: readonly Item[] | undefined
  readonly Count?: number | undefined
  readonly LastEvaluatedKey?: Key | undefined
  readonly Responses?: Readonly<Record<string, readonly Item[]>> | undefined
  readonly UnprocessedKeys?: Readonly<Record<string, { readonly Keys?: readonly Key[] | undefined }>> | undefined
}

/** The answer to a request that `next` told. */
export interface Answered {
  readonly step: number
  /** Which of the step's requests it was. */
  readonly part: number
  readonly answer: Answer
}

/** An item that was found, and from where. */
export interface Entry {
  readonly item: Item
  readonly step: number
  /** The kind that it is read as. */
  readonly kind: string
  readonly turned: boolean
}

export function answersOf(answered: readonly Answered[], step: number): Answer[] {
  return answered
    .filter(each => each.step === step)
    .sort((a, b) => a.part - b.part)
    .map(({ answer }) => answer)
}

/** All items of a step's answers, in their order. */
export function itemsIn(answers: readonly Answer[]): Item[] {
  return answers.flatMap(({ Item, Items, Responses }) => [
    ...(Item ? [Item] : []),
    ...(Items ?? []),
    ...Object.values(Responses ?? {}).flat(),
  ])
}

/** The rows that steps found, as one list in the order that was asked for, no more of them than that. */
export function entriesOf(
  layout: Layout,
  found: Found,
  answered: readonly Answered[],
  nowMs: number | undefined,
): { entries: Entry[]; more: boolean } {
  const { steps, marks, backwards, limit } = found
  const lists = steps.map(step =>
    itemsIn(answersOf(answered, step))
      .filter(item => isLive(layout, item, nowMs) && (!marks || marks.includes(item[layout.names.type]?.S ?? '')))
      .map((item): Entry => entryOf(found, item, step))
      .filter(entry => !entry.turned || !isLoop(layout, entry)),
  )
  const merged = lists.length === 1 ? lists[0]! : lists.flat().sort(inOrder(layout, found))
  const ordered = backwards ? merged.reverse() : merged
  const entries = limit === undefined ? ordered : ordered.slice(0, limit)
  const unread = steps.some(step => answersOf(answered, step).at(-1)?.LastEvaluatedKey !== undefined)
  return { entries, more: entries.length < ordered.length || unread }
}

function entryOf({ turned, kind }: Found, item: Item, step: number): Entry {
  const other = turned?.steps.includes(step) ?? false
  return { item, step, turned: other, kind: other ? turned!.kind : kind }
}

/** An edge of a node with itself is found from both ends: once is enough. */
function isLoop(layout: Layout, { kind, item }: Entry): boolean {
  const source = kindNamed(layout, kind)
  const values = valuesOf(layout, source, item)
  const [one, other] = referencesOf(source.type).map(reference => JSON.stringify(referredValues(reference, values)))
  return one === other
}

function inOrder({ names }: Layout, { steps, sorts, reverse }: Found) {
  const sorted = ({ item, step }: Entry) => item[sorts?.[steps.indexOf(step)] ?? names.sort]?.S ?? ''
  const own = ({ item }: Entry) => `${item[names.partition]?.S}\n${item[names.sort]?.S}`
  const sign = reverse ? -1 : 1
  return (a: Entry, b: Entry) => sign * (compareUtf8(sorted(a), sorted(b)) || compareUtf8(own(a), own(b)))
}

type LateKeys = Extract<Late, { late: 'keys' }>

/** The key of the item that an entry stands for, or of the node at one of its ends. */
export function keyOfEntry(layout: Layout, { found, kind, end }: LateKeys, entry: Entry): Key {
  const { item } = entry
  if (end === undefined && (kind === found.kind || kind === entry.kind)) return keyOf(layout.names, item)
  const source = kindNamed(layout, entry.kind)
  const values = valuesOf(layout, source, item, entry.turned)
  const reference = end === undefined ? undefined : referencesOf(source.type).find(({ name }) => name === end)
  const tenant = values[TENANT_SLOT]
  const referred = reference
    ? { ...(tenant && { [TENANT_SLOT]: tenant }), ...referredValues(reference, values) }
    : values
  return tableKey(layout, kindNamed(layout, kind), referred)
}

export function kindNamed({ kinds }: Layout, name: string): Kind {
  return kinds.find(kind => kind.name === name)!
}

export const keyText = ({ names }: Layout, key: Key): string =>
  JSON.stringify([key[names.partition]?.S, key[names.sort]?.S])
