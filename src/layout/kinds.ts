import type { KindDraft } from './drafts.js'
import type { Physical } from './given.js'
import type { Names } from './names.js'
import { isPlainKey } from './plain-keys.js'
import { slotPart, TENANT_SLOT } from './slots.js'
import { settle, type Template, template } from './template.js'

/** A kind of item, with the templates of its keys by key attribute of the table and of its indexes. */
export interface Kind extends Omit<KindDraft, 'texts' | 'shards'> {
  readonly keys: Readonly<Record<string, Template>>
  readonly shards: Readonly<Record<string, number>>
  /** What its items say in the attribute that tells types. */
  readonly mark: string
  /** Further attributes with one text in each of its items. */
  readonly marks: Readonly<Record<string, string>>
}

/** Whether a key attribute is of a partition: the others sort. */
export type IsPartition = (attribute: string) => boolean

export function readKinds(
  drafts: readonly KindDraft[],
  physical: Physical,
  tenant: boolean,
  isPartition: IsPartition,
  names: Names,
): Kind[] {
  const read = drafts.map(draft => {
    const keys = Object.entries(draft.texts).map(([attribute, text]) => {
      const partition = isPartition(attribute)
      const source = partition && tenant ? `{${TENANT_SLOT}}#${text}` : text
      const plain = isPlainKey(draft, attribute, source, names)
      return [attribute, readTemplate(draft, source, partition, physical, plain)] as const
    })
    return {
      ...draft,
      keys: Object.fromEntries(keys),
      mark: markOf(draft.name, physical),
      marks: physical.marks?.[draft.name] ?? {},
    }
  })
  return settleAll(read)
}

function readTemplate(
  { type }: KindDraft,
  source: string,
  partition: boolean,
  { raw }: Physical,
  plain: boolean,
): Template {
  const settings = typeof raw === 'object' ? raw : {}
  return template(source, slot => slotPart(type, slot), {
    key: partition ? 'partition' : 'sort',
    raw: raw !== undefined && raw !== false,
    ...settings,
    ...(plain && { fold: undefined }),
  })
}

function markOf(name: string, { type }: Physical): string {
  return (typeof type === 'object' ? type.values?.[name] : undefined) ?? name
}

/** The templates of one key attribute are settled together: which of them need to be told apart is known only then. */
function settleAll(kinds: readonly Kind[]): Kind[] {
  const attributes = new Set(kinds.flatMap(({ keys }) => Object.keys(keys)))
  const settled = new Map<Template, Template>()
  for (const attribute of attributes) {
    const templates = kinds.flatMap(({ keys }) => keys[attribute] ?? [])
    for (const [i, made] of settle(templates).entries()) settled.set(templates[i]!, made)
  }
  return kinds.map(kind => ({
    ...kind,
    keys: Object.fromEntries(Object.entries(kind.keys).map(([attribute, made]) => [attribute, settled.get(made)!])),
  }))
}
