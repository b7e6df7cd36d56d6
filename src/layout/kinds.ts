import { PARTITION_KEY_BYTES, SORT_KEY_BYTES } from '../dynamodb/limits.js'
import { rejectDeclarationIf } from '../schema/checks/assertions.js'
import { hasEntries, mapValues } from '../schema/map-values.js'
import type { LayoutIndex } from './access/indexes.js'
import { attributeKeyTypeOf } from './keys/attribute-keys.js'
import type { UnparsedKind } from './keys/default-keys.js'
import { HASH_SLOT } from './keys/encode-template.js'
import { canBeginWith, type KeyTemplate, parseKeyTemplate, withEscapedTail } from './keys/template.js'
import { memoize } from './memoize.js'
import type { LayoutOptions } from './options.js'
import { membersOf } from './row-members.js'
import { FREE_TEXT_TYPE, NUMBER_TYPE, SHARD_SLOT, SHARD_TYPE, slotTypeOf, TENANT_SLOT } from './slots.js'
import type { StoredNames } from './stored-names.js'

/** A kind of item, with the templates of its keys by key attribute of the table and of its indexes. */
export interface Kind extends Omit<UnparsedKind, 'texts' | 'shards'> {
  readonly keys: Templates
  readonly shards: Readonly<Record<string, number>>
  /** The text that its items hold in the attribute that names the type of an item. */
  readonly typeMark: string
  /** Further attributes that hold the same text in each of its items. */
  readonly constantAttributes: Readonly<Record<string, string>>
  /** The slots that its items do not store as attributes, because the key contains them. */
  readonly slotsInKey: ReadonlySet<string>
  /** For each index key attribute, one list of slots per index with this key: an item needs all of them to be in that index. */
  readonly indexKeySlots: Readonly<Record<string, readonly (readonly string[])[]>>
}

/**
 * The slots of the given key attributes of a kind; by default of all its key attributes. Shard slots are left out,
 * because a shard is computed from the other slots.
 */
export const keySlotsOf = ({ keys }: Pick<Kind, 'keys'>, attributes: readonly string[] = Object.keys(keys)): string[] =>
  attributes.flatMap(
    attribute => keys[attribute]?.slots.flatMap(({ name, type }) => (type === SHARD_TYPE ? [] : name)) ?? [],
  )

/** The slots of a kind's key in the table. */
export const tableKeySlots = memoize((kind: Kind, { keys }: StoredNames) => keySlotsOf(kind, keys))

/** The parts of a layout that decide how the templates of its kinds are parsed. */
interface KeyContext {
  readonly physical: LayoutOptions
  readonly tenant: boolean
  readonly indexes: readonly LayoutIndex[]
  /** The partition key attributes of the table and of its indexes. */
  readonly partitions: readonly string[]
  readonly names: StoredNames
}

/** Parses the templates of all kinds of a layout. */
export function parseKinds(unparsedKinds: readonly UnparsedKind[], context: KeyContext): Kind[] {
  const { physical, tenant, indexes, names } = context
  rejectReservedSlots(unparsedKinds, tenant)
  const keySources = [names.keySchema, ...indexes]
  const allTemplates = unparsedKinds.map(kind => parseTemplates(kind, context))
  // Values of unique attributes may be longer than a key. No declared name begins with `$`, so the hash collides with none.
  const hashedTemplate = parseKeyTemplate(`${tenantPrefixOf(tenant)}$unique#{${HASH_SLOT}}`, () => FREE_TEXT_TYPE, {
    maxBytes: PARTITION_KEY_BYTES,
  })
  return unparsedKinds.map((kind, at) => {
    const templates = allTemplates[at]!
    const keys = mapValues(templates, (unescaped, attribute) => {
      const key = withEscapedTail(unescaped, templatesSharingPartition(templates, allTemplates, attribute, keySources))
      const canBeHashed = kind.role === 'unique' && attribute === names.partition && !physical.raw
      return canBeHashed ? { ...key, hashedTemplate } : key
    })
    return toKind(kind, keys, context)
  })
}

function toKind(kind: UnparsedKind, keys: Templates, { physical, indexes, names }: KeyContext): Kind {
  const { type, marks, raw } = physical
  // Raw keys cannot be decoded, so their slots are stored as attributes too.
  const decodableSlots = raw ? [] : keySlotsOf({ keys }, names.keys)
  return {
    ...kind,
    keys,
    typeMark: Object(type).values?.[kind.name] || kind.name,
    constantAttributes: marks?.[kind.name] ?? {},
    slotsInKey: new Set(decodableSlots.filter(slot => !kind.storedKeySlots.includes(slot))),
    indexKeySlots: mapValues(keys, (_, attribute) => {
      if (names.keys.includes(attribute)) return undefined
      const slotsByIndex = indexes.flatMap(({ native, partition, sort }) => {
        const indexKeys = [...partition, ...sort]
        return !native && indexKeys.includes(attribute) ? [keySlotsOf({ keys }, indexKeys)] : []
      })
      return slotsByIndex.length > 0 ? slotsByIndex : [keySlotsOf({ keys }, [attribute])]
    }),
  }
}

/** Rejects members named like the slots that edgewise adds to keys: the tenant or the shard would be read in their place. */
function rejectReservedSlots(unparsedKinds: readonly UnparsedKind[], tenant: boolean): void {
  for (const { type, shards } of unparsedKinds) {
    const reservedSlots = [...(tenant ? [TENANT_SLOT] : []), ...(hasEntries(shards) ? [SHARD_SLOT] : [])]
    for (const { slot } of membersOf(type))
      rejectDeclarationIf(
        type.name,
        reservedSlots.includes(slot),
        'layout.name',
        slot,
        `'${slot}' has the same name as a slot that edgewise adds to its keys; rename it.`,
      )
  }
}

const tenantPrefixOf = (tenant: boolean) => (tenant ? `{${TENANT_SLOT}}#` : '')

function parseTemplates(kind: UnparsedKind, { physical, tenant, indexes, partitions, names }: KeyContext): Templates {
  const { raw } = physical
  const sortKeys = [names.keySchema, ...indexes].flatMap(({ sort }) => sort)
  return mapValues(kind.templateTexts, (text, attribute) => {
    const isPartition = partitions.includes(attribute)
    const source = isPartition ? tenantPrefixOf(tenant) + text : text
    const attributeType = raw && attributeKeyTypeOf(kind, attribute, source, names)
    const typeOf = (slot: string) =>
      attributeType === 'N' ? NUMBER_TYPE : slotTypeOf(kind.type, slot, tenant, kind.shards[attribute])
    return parseKeyTemplate(source, typeOf, {
      owner: { type: kind.type.name, attribute },
      // The table's partition key may be the sort key of an inverted index, which allows fewer bytes.
      maxBytes: isPartition && !sortKeys.includes(attribute) ? PARTITION_KEY_BYTES : SORT_KEY_BYTES,
      raw,
      ...(raw !== true && raw),
      ...(attributeType && { fold: undefined }),
    })
  })
}

type Templates = Readonly<Record<string, KeyTemplate>>

/** The templates that a key must not be confused with: for a sort key, those of the kinds that can share its partition. */
function templatesSharingPartition(
  own: Templates,
  all: readonly Templates[],
  attribute: string,
  keySources: readonly Pick<LayoutIndex, 'partition' | 'sort'>[],
): (KeyTemplate | undefined)[] {
  const sharesPartition = (other: Templates) =>
    keySources.some(
      ({ partition: [head], sort: [tail] }) =>
        head === attribute ||
        // Kinds without this index's partition key are not in the index, even if they have its sort key.
        (tail === attribute &&
          own[head!] &&
          other[head!] &&
          canBeginWith(own[head!]!.sections, other[head!]!.sections)),
    )
  return all.filter(sharesPartition).map(other => other[attribute])
}
