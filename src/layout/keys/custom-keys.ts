import type { DeclaredEdge, DeclaredNode } from '../../schema/declarations.js'
import { findEnd } from '../../schema/edge/ends.js'
import { GraphError } from '../../schema/error.js'
import { mapValues } from '../../schema/map-values.js'
import type { KeyOptions, LayoutOptions } from '../options.js'
import { referenceSlots } from '../slots.js'
import type { StoredNames } from '../stored-names.js'
import { attributeSlotsOf } from './attribute-keys.js'
import type { KindRole, UnparsedKind } from './default-keys.js'
import { joinTemplate, otherEndOf } from './default-templates.js'

/** Returns the kinds with custom keys in place of their default keys. */
export function applyCustomKeys(
  kinds: readonly UnparsedKind[],
  physical: LayoutOptions,
  { partition, sort }: StoredNames,
): UnparsedKind[] {
  checkCustomNames(kinds, physical)
  return kinds.flatMap(kind => {
    const texts = {
      ...kind.templateTexts,
      [partition]: replaceNodePartition(kind.templateTexts[partition]!, kinds, physical, partition),
    }
    const customTexts = customTextsOf(kind, physical.keys?.[kind.type.name])
    // With custom names for its index keys, a type has no default index keys.
    const usesDefaultNames = Object.keys(customTexts).every(name => name in texts)
    const defaultTexts = mapValues(texts, (text, name) =>
      usesDefaultNames || name === partition || name === sort ? text : undefined,
    )
    const keyedKind = { ...kind, templateTexts: { ...defaultTexts, ...customTexts } }
    return [keyedKind, ...oneEdgeSentinels(keyedKind, partition, sort)]
  })
}

/** Replaces a default partition that refers to a node by the custom partition of that node. */
function replaceNodePartition(
  text: string,
  kinds: readonly UnparsedKind[],
  { keys = {} }: LayoutOptions,
  partition: string,
): string {
  const [head, ...slots] = text.split('#')
  const { id, within } = (kinds.find(({ role, name }) => role === 'node' && name === head)?.type ?? {}) as DeclaredNode
  const customPartition = keys[head!]?.[partition]
  if (!id || within || typeof customPartition !== 'string') return text
  const filledPartition = customPartition.replace(/\{\{|\{([^{}]+)\}/g, (slot, name) => slots[id.indexOf(name)] ?? slot)
  return [filledPartition, ...slots.slice(id.length)].join('#')
}

/**
 * Returns a sentinel for a `one` edge whose custom key contains the other end. That key alone would allow a second edge
 * of the node; the sentinel prevents it. It belongs to no attribute.
 */
function oneEdgeSentinels(
  { role, type, templateTexts }: UnparsedKind,
  partition: string,
  sort: string,
): UnparsedKind[] {
  const edge = type as DeclaredEdge
  const end = role === 'edge' && findEnd(edge, edge.one)
  if (!end) return []
  const key = `${templateTexts[partition]}${templateTexts[sort]}`
  if (!referenceSlots(otherEndOf(edge, end)).some(slot => key.includes(`{${slot}}`))) return []
  if (edge.tree)
    throw new GraphError(
      'edge.tree',
      `${type.name}: the given key has the parent of a tree in it, so the edge of a child cannot be found by the child alone; leave '${otherEndOf(edge, end).name}' out of the key.`,
      { type: type.name, name: 'tree' },
    )
  const name = `${type.name}.$one`
  const text = joinTemplate(name, referenceSlots(end))
  const sentinelTexts = { [partition]: text, ...(sort && { [sort]: text }) }
  return [{ name, role: 'unique', type, templateTexts: sentinelTexts, shards: {}, storedKeySlots: [] }]
}

/** The name under which custom keys list a kind that is not the type's own item. */
function customKeyNameOf({ role, memberName }: UnparsedKind): string | undefined {
  const names: Partial<Record<KindRole, string>> = {
    mirror: role,
    facet: `by.${memberName}`,
    unique: `unique.${memberName}`,
  }
  return names[role]
}

function customTextsOf(kind: UnparsedKind, customKeys: KeyOptions = {}): Record<string, string> {
  const name = customKeyNameOf(kind)
  const texts = name ? (customKeys[name] as KeyOptions | undefined) : customKeys
  return mapValues(texts, text => (typeof text === 'string' ? text : undefined))
}

/** Rejects keys, names and marks for types or kinds that the graph does not have. */
function checkCustomNames(
  unparsedKinds: readonly UnparsedKind[],
  { keys = {}, names, marks, type }: LayoutOptions,
): void {
  const check = (subject: string, names: object | undefined, known: readonly (string | undefined)[]) => {
    for (const unknownName in names)
      if (!known.includes(unknownName))
        throw new GraphError(
          'layout.type',
          `${subject}: '${unknownName}' is not in the graph; remove it or correct its name.`,
          {
            type: unknownName,
          },
        )
  }
  const types = unparsedKinds.map(kind => kind.type.name)
  const kinds = unparsedKinds.map(({ name }) => name)
  check('names', names, types)
  check('marks', { ...marks, ...Object(type).values }, kinds)
  check('keys', keys, types)
  for (const kind of unparsedKinds)
    if (!kind.memberName) check(`names of ${kind.name}`, names?.[kind.name], attributeSlotsOf(kind))
  for (const name in keys) {
    const places = mapValues(keys[name]!, text => (typeof text === 'string' ? undefined : text))
    check(`keys of ${name}`, places, unparsedKinds.filter(kind => kind.type.name === name).map(customKeyNameOf))
  }
}
