import { GraphError } from '../../schema/error.js'
import { isNumericKey } from '../keys/encode-template.js'
import type { Kind } from '../kinds.js'
import type { Layout } from '../layout.js'
import { requireLayout } from '../require-layout.js'
import { idSlots, partSlots, referenceSlots } from '../slots.js'

/**
 * Finds custom index keys that do not contain the whole id of their items. No entry is lost: entries with equal keys
 * are sorted by the table's key, and cursors use it. But nobody chose that order.
 *
 * @returns one `key.order` error for each kind and index
 *
 * @example
 * ```ts
 * import { graph, layout, node, string } from 'edgewise'
 * import { looseOrders } from 'edgewise/layout'
 *
 * const social = layout(graph('social', [node('user', { name: string() }, { id: 'name' })]))
 * for (const { message } of looseOrders(social)) console.log(message)
 * ```
 */
export function looseOrders(layout: Layout): GraphError<'key.order'>[] {
  const { kinds, design, names } = requireLayout(layout)
  const tableKeys = names.keys
  return design.indexes.flatMap(({ name: index, partition, sort }) => {
    const attributes = [...partition, ...sort]
    // An inverted index has the keys of the table, which are unique.
    if (tableKeys.every(attribute => attributes.includes(attribute))) return []
    return kinds.flatMap(kind => {
      const templates = attributes.flatMap(attribute => kind.keys[attribute] ?? [])
      // Native indexes have no templates and always contain the id.
      if (templates.length < attributes.length) return []
      const heldSlots = templates.flatMap(({ slots }) => slots.map(slot => slot.name))
      const missingSlots = kindIdentityOf(kind).filter(slot => !heldSlots.includes(slot))
      if (missingSlots.length === 0) return []
      const lastTemplate = templates.at(-1)!
      const ending = missingSlots.map(slot => `{${slot}}`).join('#')
      const advice = isNumericKey(lastTemplate)
        ? "use a text key to order them, because the number alone leaves them in the order of the table's own key"
        : `end '${lastTemplate.source}' with ${ending} to order them`
      return new GraphError(
        'key.order',
        `${index}: entries of ${kind.name} can have equal keys in this index; ${advice}.`,
        { index, kind: kind.name, missingSlots },
      )
    })
  })
}

/** The slots that identify an item within its kind. */
function kindIdentityOf({ type, role, memberName }: Kind): readonly string[] {
  if (type.kind === 'edge')
    return [
      ...type.ends.filter(({ name }) => type.one === undefined || type.one === name).flatMap(referenceSlots),
      ...(type.one === undefined ? type.key : []),
    ]
  if (role !== 'facet') return idSlots(type)
  return [...idSlots(type), ...partSlots(type, type.paths.find(({ name }) => name === memberName)!.in)]
}
