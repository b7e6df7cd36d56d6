import { GraphError } from '../../schema/error.js'
import { isNumericKey } from '../keys/encode-template.js'
import type { Kind } from '../kinds.js'
import type { Layout } from '../layout.js'
import { requireLayout } from '../require-layout.js'
import { idSlots, partSlots, referenceSlots } from '../slots.js'

/** Entries of an index that can be alike in both its keys, since these lack a part of what tells their items apart. */
export interface LooseOrder {
  readonly index: string
  readonly kind: string
  readonly missingSlots: readonly string[]
}

/**
 * The given keys of indexes that do not hold the whole id of their items. Nothing is lost by that: entries that are alike
 * lie in the order of the table's own key, and cursors rest on it. But nobody has chosen that order.
 */
export function looseOrders(layout: Layout): GraphError<LooseOrder>[] {
  const { kinds, design, names } = requireLayout(layout)
  const tableKeys = names.keys
  return design.indexes.flatMap(({ name: index, partition, sort }) => {
    const attributes = [...partition, ...sort]
    // The keys of an inverted index are those of the table, which no two items share.
    if (tableKeys.every(attribute => attributes.includes(attribute))) return []
    return kinds.flatMap(kind => {
      const templates = attributes.flatMap(attribute => kind.keys[attribute] ?? [])
      // Indexes of native keys have no templates, and are never given.
      if (templates.length < attributes.length) return []
      const heldSlots = templates.flatMap(({ slots }) => slots.map(slot => slot.name))
      const missingSlots = kindIdentityOf(kind).filter(slot => !heldSlots.includes(slot))
      if (missingSlots.length === 0) return []
      const lastTemplate = templates.at(-1)!
      const ending = missingSlots.map(slot => `{${slot}}`).join('#')
      const advice = isNumericKey(lastTemplate)
        ? "they lie in the order of the table's own key"
        : `end "${lastTemplate.source}" with ${ending} to give them an order`
      return new GraphError<LooseOrder>(
        'key.order',
        `Entries of ${kind.name} in the index ${index} can be alike: ${advice}.`,
        { index, kind: kind.name, missingSlots },
      )
    })
  })
}

/** What tells an item from all others of its kind. */
function kindIdentityOf({ type, role, memberName }: Kind): readonly string[] {
  if (type.kind === 'edge')
    return [
      ...type.ends.filter(({ name }) => type.one === undefined || type.one === name).flatMap(referenceSlots),
      ...(type.one === undefined ? type.key : []),
    ]
  if (role !== 'facet') return idSlots(type)
  return [...idSlots(type), ...partSlots(type, type.paths.find(({ name }) => name === memberName)!.in)]
}
