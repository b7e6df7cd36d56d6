import { PARTITION_KEY_BYTES, SORT_KEY_BYTES } from '../dynamodb/limits.js'
import { mapValues } from '../schema/map-values.js'
import { refuse } from '../schema/refusal.js'
import type { KindDraft } from './drafts.js'
import type { Physical } from './given.js'
import type { Index } from './indexes.js'
import { membersOf } from './members.js'
import type { Names } from './names.js'
import { once } from './once.js'
import { plainType } from './plain-keys.js'
import { FREE_TEXT, NUMBER, SHARD_SLOT, SPREADING, slotPart, TENANT_SLOT } from './slots.js'
import { canBegin, settled, type Template, template } from './template.js'
import { HASH_SLOT } from './template-encode.js'

/** A kind of item, with the templates of its keys by key attribute of the table and of its indexes. */
export interface Kind extends Omit<KindDraft, 'texts' | 'shards'> {
  readonly keys: Readonly<Record<string, Template>>
  readonly shards: Readonly<Record<string, number>>
  /** What its items say in the attribute that tells types. */
  readonly mark: string
  /** Further attributes with one text in each of its items. */
  readonly marks: Readonly<Record<string, string>>
  /** The slots that its items do not hold, since the key tells them. */
  readonly told: ReadonlySet<string>
  /** For each key of an index, the slots that an item must have to be in one that the key is of. */
  readonly needs: Readonly<Record<string, readonly (readonly string[])[]>>
}

/**
 * The slots of these keys, as far as the kind has them; of all that it has, unless said. What spreads a key follows from
 * the others.
 */
export const slotsOf = ({ keys }: Pick<Kind, 'keys'>, attributes: readonly string[] = Object.keys(keys)): string[] =>
  attributes.flatMap(each => keys[each]?.slots.flatMap(({ name, part }) => (part === SPREADING ? [] : name)) ?? [])

/** The slots of its key in the table. */
export const ownSlots = once((kind: Kind, { keys }: Names) => slotsOf(kind, keys))

export function readKinds(
  drafts: readonly KindDraft[],
  physical: Physical,
  tenant: boolean,
  indexes: readonly Index[],
  partitions: readonly string[],
  names: Names,
): Kind[] {
  const { type, marks, raw } = physical
  const own = names.keys
  const places = [names.place, ...indexes]
  const sorts = places.flatMap(({ sort }) => sort)
  const lead = tenant ? `{${TENANT_SLOT}}#` : ''
  for (const { type: declared, shards } of drafts) {
    // What leads the keys of a tenant, or spreads one, would be read in place of what is declared.
    const taken: unknown[] = [tenant && TENANT_SLOT, Object.keys(shards)[0] && SHARD_SLOT]
    for (const { slot } of membersOf(declared))
      refuse(declared.name, taken.includes(slot), 'layout.name', slot, `it has '${slot}' twice: rename one`)
  }
  const read = drafts.map(draft =>
    mapValues(draft.texts, (text, attribute) => {
      const isPartition = partitions.includes(attribute)
      const source = isPartition ? lead + text : text
      const plain = raw && plainType(draft, attribute, source, names)
      const partOf = (slot: string) => slotPart(draft.type, slot, tenant, draft.shards[attribute])
      return template(source, slot => (plain === 'N' ? NUMBER : partOf(slot)), {
        owner: { type: draft.type.name, attribute },
        // The partition of the table may be what an inverted index sorts by.
        maxBytes: isPartition && !sorts.includes(attribute) ? PARTITION_KEY_BYTES : SORT_KEY_BYTES,
        raw,
        ...(raw !== true && raw),
        ...(plain && { fold: undefined }),
      })
    }),
  )
  // Values of unique attributes may be longer than keys. Nothing that has a name of its own begins with `$`.
  const hashed = template(`${lead}$unique#{${HASH_SLOT}}`, () => FREE_TEXT, { maxBytes: PARTITION_KEY_BYTES })
  return drafts.map((draft, at) => {
    const { name, role, held } = draft
    const keys = mapValues(read[at]!, (one, attribute) => {
      const key = settled(one, templatesBeside(read[at]!, read, attribute, places))
      return role === 'unique' && attribute === names.partition && !raw ? { ...key, hashed } : key
    })
    // Raw keys tell nothing.
    const told = raw ? [] : slotsOf({ keys }, own)
    return {
      ...draft,
      keys,
      mark: Object(type).values?.[name] || name,
      marks: marks?.[name] ?? {},
      told: new Set(told.filter(slot => !held.includes(slot))),
      needs: mapValues(keys, (_, attribute) => {
        if (own.includes(attribute)) return undefined
        const needed = indexes.flatMap(({ native, partition, sort }) => {
          const all = [...partition, ...sort]
          return !native && all.includes(attribute) ? [slotsOf({ keys }, all)] : []
        })
        return needed[0] ? needed : [slotsOf({ keys }, [attribute])]
      }),
    }
  })
}

type Templates = Readonly<Record<string, Template>>

/** Those of a key that it must be told from: where the key sorts a partition, of what can lie in the same one. */
function templatesBeside(
  own: Templates,
  all: readonly Templates[],
  attribute: string,
  places: readonly Pick<Index, 'partition' | 'sort'>[],
): (Template | undefined)[] {
  const isBeside = (other: Templates) =>
    places.some(
      ({ partition: [head], sort: [tail] }) =>
        head === attribute ||
        // An index may be sorted by a key that is of others too, which are not in it.
        (tail === attribute && own[head!] && other[head!] && canBegin(own[head!]!.cut, other[head!]!.cut)),
    )
  return all.filter(isBeside).map(other => other[attribute])
}
