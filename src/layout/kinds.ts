import { PARTITION_KEY_BYTES, SORT_KEY_BYTES } from '../dynamodb/limits.js'
import { rejectDeclarationIf } from '../schema/checks/assertions.js'
import { mapValues } from '../schema/map-values.js'
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
  readonly keys: Readonly<Record<string, KeyTemplate>>
  readonly shards: Readonly<Record<string, number>>
  /** What its items say in the attribute that tells types. */
  readonly typeMark: string
  /** Further attributes with one text in each of its items. */
  readonly constantAttributes: Readonly<Record<string, string>>
  /** The slots that its items do not hold, since the key tells them. */
  readonly slotsInKey: ReadonlySet<string>
  /** For each key of an index, the slots that an item must have to be in one that the key is of. */
  readonly indexKeySlots: Readonly<Record<string, readonly (readonly string[])[]>>
}

/**
 * The slots of these keys, as far as the kind has them; of all that it has, unless said. What spreads a key follows from
 * the others.
 */
export const keySlotsOf = ({ keys }: Pick<Kind, 'keys'>, attributes: readonly string[] = Object.keys(keys)): string[] =>
  attributes.flatMap(each => keys[each]?.slots.flatMap(({ name, type }) => (type === SHARD_TYPE ? [] : name)) ?? [])

/** The slots of its key in the table. */
export const tableKeySlots = memoize((kind: Kind, { keys }: StoredNames) => keySlotsOf(kind, keys))

export function parseKinds(
  unparsedKinds: readonly UnparsedKind[],
  physical: LayoutOptions,
  tenant: boolean,
  indexes: readonly LayoutIndex[],
  partitions: readonly string[],
  names: StoredNames,
): Kind[] {
  const { type, marks, raw } = physical
  const tableKeys = names.keys
  const keySources = [names.keySchema, ...indexes]
  const sorts = keySources.flatMap(({ sort }) => sort)
  const tenantPrefix = tenant ? `{${TENANT_SLOT}}#` : ''
  for (const { type: declared, shards } of unparsedKinds) {
    // What leads the keys of a tenant, or spreads one, would be read in place of what is declared.
    const reservedSlots: unknown[] = [tenant && TENANT_SLOT, Object.keys(shards)[0] && SHARD_SLOT]
    for (const { slot } of membersOf(declared))
      rejectDeclarationIf(
        declared.name,
        reservedSlots.includes(slot),
        'layout.name',
        slot,
        `it has '${slot}' twice: rename one`,
      )
  }
  const parsedTemplates = unparsedKinds.map(kind =>
    mapValues(kind.templateTexts, (text, attribute) => {
      const isPartition = partitions.includes(attribute)
      const source = isPartition ? tenantPrefix + text : text
      const attributeType = raw && attributeKeyTypeOf(kind, attribute, source, names)
      const partOf = (slot: string) => slotTypeOf(kind.type, slot, tenant, kind.shards[attribute])
      return parseKeyTemplate(source, slot => (attributeType === 'N' ? NUMBER_TYPE : partOf(slot)), {
        owner: { type: kind.type.name, attribute },
        // The partition of the table may be what an inverted index sorts by.
        maxBytes: isPartition && !sorts.includes(attribute) ? PARTITION_KEY_BYTES : SORT_KEY_BYTES,
        raw,
        ...(raw !== true && raw),
        ...(attributeType && { fold: undefined }),
      })
    }),
  )
  // Values of unique attributes may be longer than keys. Nothing that has a name of its own begins with `$`.
  const hashedTemplate = parseKeyTemplate(`${tenantPrefix}$unique#{${HASH_SLOT}}`, () => FREE_TEXT_TYPE, {
    maxBytes: PARTITION_KEY_BYTES,
  })
  return unparsedKinds.map((kind, at) => {
    const { name, role, storedKeySlots } = kind
    const keys = mapValues(parsedTemplates[at]!, (unescaped, attribute) => {
      const key = withEscapedTail(
        unescaped,
        templatesSharingPartition(parsedTemplates[at]!, parsedTemplates, attribute, keySources),
      )
      return role === 'unique' && attribute === names.partition && !raw ? { ...key, hashedTemplate } : key
    })
    // Raw keys tell nothing.
    const encodedSlots = raw ? [] : keySlotsOf({ keys }, tableKeys)
    return {
      ...kind,
      keys,
      typeMark: Object(type).values?.[name] || name,
      constantAttributes: marks?.[name] ?? {},
      slotsInKey: new Set(encodedSlots.filter(slot => !storedKeySlots.includes(slot))),
      indexKeySlots: mapValues(keys, (_, attribute) => {
        if (tableKeys.includes(attribute)) return undefined
        const needed = indexes.flatMap(({ native, partition, sort }) => {
          const all = [...partition, ...sort]
          return !native && all.includes(attribute) ? [keySlotsOf({ keys }, all)] : []
        })
        return needed[0] ? needed : [keySlotsOf({ keys }, [attribute])]
      }),
    }
  })
}

type Templates = Readonly<Record<string, KeyTemplate>>

/** Those of a key that it must be told from: where the key sorts a partition, of what can lie in the same one. */
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
        // An index may be sorted by a key that is of others too, which are not in it.
        (tail === attribute &&
          own[head!] &&
          other[head!] &&
          canBeginWith(own[head!]!.sections, other[head!]!.sections)),
    )
  return all.filter(sharesPartition).map(other => other[attribute])
}
