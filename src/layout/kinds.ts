import { GraphError } from '../schema/error.js'
import type { KindDraft } from './drafts.js'
import type { GivenKeys, Physical } from './given.js'
import { slotPart, TENANT_SLOT } from './slots.js'
import { settle, type Template, template } from './template.js'

/** A kind of item, with the templates of its keys by key attribute of the table and of its indexes. */
export interface Kind extends Omit<KindDraft, 'texts' | 'shards'> {
  readonly keys: Readonly<Record<string, Template>>
  readonly shards: Readonly<Record<string, number>>
  /** What its items say in the attribute that tells types. */
  readonly mark: string
}

/** Whether a key attribute is of a partition: the others sort. */
export type IsPartition = (attribute: string) => boolean

export function readKinds(
  drafts: readonly KindDraft[],
  physical: Physical,
  tenant: boolean,
  isPartition: IsPartition,
): Kind[] {
  checkGivenTypes(drafts, physical)
  const read = drafts.map(draft => {
    const texts = { ...draft.texts, ...givenTexts(draft, physical.keys?.[draft.type.name]) }
    const keys = Object.entries(texts).map(([attribute, text]) => {
      const partition = isPartition(attribute)
      const source = partition && tenant ? `{${TENANT_SLOT}}#${text}` : text
      return [attribute, readTemplate(draft, source, partition, physical)] as const
    })
    return { ...draft, keys: Object.fromEntries(keys), mark: markOf(draft.name, physical) }
  })
  return settleAll(read)
}

function readTemplate({ type }: KindDraft, source: string, partition: boolean, { raw }: Physical): Template {
  const settings = typeof raw === 'object' ? raw : {}
  return template(source, slot => slotPart(type, slot), {
    key: partition ? 'partition' : 'sort',
    raw: raw !== undefined && raw !== false,
    ...settings,
  })
}

/** The key by which given templates name a kind that is not the type's own item. */
function givenName({ role, of }: KindDraft): string | undefined {
  if (role === 'mirror') return 'mirror'
  if (role === 'facet') return `by.${of}`
  return role === 'unique' ? `unique.${of}` : undefined
}

function givenTexts(draft: KindDraft, given: GivenKeys | undefined): Record<string, string> {
  if (!given) return {}
  const name = givenName(draft)
  const own = name === undefined ? given : given[name]
  const entries = Object.entries(own ?? {}).filter(([, text]) => typeof text === 'string')
  return Object.fromEntries(entries) as Record<string, string>
}

function checkGivenTypes(drafts: readonly KindDraft[], { keys = {} }: Physical): void {
  for (const [type, given] of Object.entries(keys)) {
    const own = drafts.filter(draft => draft.type.name === type)
    if (own.length === 0)
      throw new GraphError('layout.type', `keys are given for '${type}', which is not in the graph`, { type })
    const names = own.map(givenName)
    for (const [name, text] of Object.entries(given))
      if (typeof text !== 'string' && !names.includes(name))
        throw new GraphError('layout.type', `keys are given for ${type} under '${name}', of which it has none`, {
          type,
          name,
        })
  }
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
