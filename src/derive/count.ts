import type { AttributeValue, Item, Key } from '../dynamodb/attribute-value.js'
import { TRANSACT_ITEMS } from '../dynamodb/limits.js'
import type { Layout } from '../layout/layout.js'
import { keyOf } from '../plan/identity.js'
import { contributing, contribution, countedAsRead } from '../plan/kept-by-stream.js'
import type { WriteExpression } from '../plan/write-expression.js'
import { addTo, countedOf, countedValue, difference, type Numbers } from './counted.js'
import { type Act, act, type Deriving, fresh, itemsAt, textOf, transact, untilSettled } from './deriving.js'
import { isPassing } from './follow/passing.js'
import { Past } from './past.js'
import { type NodePath, seen, sidesOf } from './sides.js'
import { TooLarge } from './too-large.js'

/** One part of a transaction is the node. */
const SIDES_AT_ONCE = TRANSACT_ITEMS - 1

/** A side item of which the node does not have what it should. */
interface Due {
  readonly item: Item
  readonly of: Numbers
  readonly more: Numbers
  /** Whether it is only taken out for now: from what it was to what it is are more digits than a number can have. */
  readonly isOut: boolean
}

/** Brings the counters of a node to hold what these of its side items are now, but for those that fail by themselves. */
export async function countSides(deriving: Deriving, node: Key, sides: readonly Key[]): Promise<void> {
  const { layout } = deriving.context
  const failed = new Map<string, unknown>()
  await deriving.turns.take(textOf(deriving, node), () =>
    untilSettled(async () => {
      const left = sides.filter(key => !failed.has(textOf(deriving, key)))
      const found = await itemsAt(deriving, [node, ...left])
      const item = found.get(textOf(deriving, node))
      // A node that is made later counts them all.
      if (!item) return true
      const due = left.flatMap(key => dueOf(layout, item, found.get(textOf(deriving, key))) ?? [])
      let settled = !due.some(({ isOut }) => isOut)
      for (let at = 0; at < due.length; at += SIDES_AT_ONCE) {
        // The first batch names the life of a node: it has to be read before the next.
        if (at > 0 && !item[layout.names.life]) return false
        const done = await countAll(deriving, item, due.slice(at, at + SIDES_AT_ONCE), failed)
        settled &&= done
      }
      return settled
    }),
  )
  for (const error of failed.values()) throw error
}

/** Counts side items at once. One that fails by a fault of its own is found by halving, and keeps none from being counted. */
async function countAll(
  deriving: Deriving,
  node: Item,
  due: readonly Due[],
  failed: Map<string, unknown>,
): Promise<boolean> {
  try {
    return await countOnce(deriving, node, due)
  } catch (error) {
    const texts = error instanceof TooLarge ? error.keys.map(key => textOf(deriving, key)) : []
    if (isPassing(error) || texts.includes(textOf(deriving, node))) throw error
    if (texts.length === 0 && due.length > 1) {
      const half = Math.ceil(due.length / 2)
      const isDone = await countAll(deriving, node, due.slice(0, half), failed)
      return (await countAll(deriving, node, due.slice(half), failed)) && isDone
    }
    for (const text of texts.length > 0 ? texts : [textOf(deriving, due[0]!.item)]) failed.set(text, error)
    return false
  }
}

/** Counts every edge that a node has by a path. */
export async function countPath(deriving: Deriving, node: Item, path: NodePath): Promise<void> {
  const { names } = deriving.context.layout
  const past = new Past()
  for await (const sides of sidesOf(deriving, node, path)) {
    const keys = sides.map(({ item }) => keyOf(names, item))
    if (keys.length > 0) await past.do(countSides(deriving, keyOf(names, node), keys))
  }
  past.tell()
}

function dueOf(layout: Layout, node: Item, item: Item | undefined): Due | undefined {
  const side = item && seen(layout, item)
  if (!side) return undefined
  const of = contribution(layout, side.kind, side.values)
  const counted = countedOf(layout, item)
  const life = node[layout.names.life]?.S
  const was = counted && counted.life === life ? counted.of : {}
  try {
    const more = difference(was, of)
    return more && { item, of, more, isOut: false }
  } catch {
    return { item, of: {}, more: difference(was, {})!, isOut: true }
  }
}

function countOnce(deriving: Deriving, node: Item, due: readonly Due[]): Promise<boolean> {
  const { layout } = deriving.context
  const { names } = layout
  const tag = fresh(deriving)
  const life = node[names.life]?.S ?? tag
  const total: Record<string, AttributeValue> = {}
  for (const { more } of due) addTo(total, more)
  return transact(deriving, [
    nodeAct(layout, node, total, tag, life),
    ...due.map(({ item, of }) => {
      const { kind } = seen(layout, item)!
      const part = act('Update', keyOf(names, item))
      const { expression } = part
      expression.where(expression.exists(names.partition)).where(countedAsRead(layout.names, expression, item))
      for (const name of contributing(layout, kind)) expression.where(expression.is(name, item[name]))
      expression.set(expression.name(names.counted), countedValue({ life, tag, of }))
      return part
    }),
  ])
}

/** Adds to the counters of a node, if it is there and in the same life as when it was read. */
export function nodeAct({ names }: Layout, node: Item, more: Numbers, tag: string, life?: string): Act {
  const part = act('Update', keyOf(names, node))
  const { expression } = part
  expression.where(expression.exists(names.partition)).where(sameLife(expression, names.life, node))
  for (const name in more) if (more[name]!.N !== '0') expression.add(expression.name(name), more[name]!)
  expression.set(expression.name(names.counts), { S: tag })
  // One that is no text was never named by a consumer.
  if (life !== undefined && node[names.life]?.S === undefined) expression.set(expression.name(names.life), { S: life })
  return part
}

export const sameLife = (expression: WriteExpression, name: string, node: Item): string =>
  expression.is(name, node[name])
