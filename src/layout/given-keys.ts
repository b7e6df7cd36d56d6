import { GraphError } from '../schema/error.js'
import { type KindDraft, PARTITION, SORT } from './drafts.js'
import type { GivenKeys, Physical } from './given.js'
import type { Names } from './names.js'
import { checkHeldNames } from './plain-keys.js'

/** The kinds with the keys that are given in place of their own, under the names that they have in this table. */
export function giveKeys(drafts: readonly KindDraft[], physical: Physical, names: Names): KindDraft[] {
  checkGivenTypes(drafts, physical)
  const renamed = (attribute: string) =>
    attribute === PARTITION ? names.partition : attribute === SORT ? names.sort : attribute
  const keyed = drafts.map(draft => {
    const given = givenTexts(draft, physical.keys?.[draft.type.name])
    const own = renameAll(draft.texts, renamed)
    const kept = Object.entries(own).filter(([attribute]) => keepsOwn(attribute, own, given, names))
    return { ...draft, texts: { ...Object.fromEntries(kept), ...given }, shards: renameAll(draft.shards, renamed) }
  })
  checkHeldNames(keyed, physical, names)
  return keyed
}

const renameAll = <T>(by: Readonly<Record<string, T>>, renamed: (name: string) => string): Record<string, T> =>
  Object.fromEntries(Object.entries(by).map(([name, value]) => [renamed(name), value]))

/** A table that keeps its index keys under names of its own has none under ours. */
function keepsOwn(
  attribute: string,
  own: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
  { partition, sort }: Names,
): boolean {
  if (attribute === partition || attribute === sort) return true
  return Object.keys(given).every(name => name === partition || name === sort || name in own)
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

function checkGivenTypes(
  drafts: readonly KindDraft[],
  { keys = {}, names = {}, marks = {}, type: mark }: Physical,
): void {
  const values = (typeof mark === 'object' && mark.values) || {}
  checkKnown('names', Object.keys(names), new Set(drafts.map(({ type }) => type.name)))
  checkKnown('marks', [...Object.keys(marks), ...Object.keys(values)], new Set(drafts.map(({ name }) => name)))
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

function checkKnown(what: string, given: readonly string[], known: ReadonlySet<string>): void {
  const type = given.find(name => !known.has(name))
  if (type !== undefined)
    throw new GraphError('layout.type', `${what} are given for '${type}', which is not in the graph`, { type })
}
