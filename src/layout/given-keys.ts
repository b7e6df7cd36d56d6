import { GraphError } from '../schema/error.js'
import { mapValues } from '../schema/map-values.js'
import { type KindDraft, PARTITION, SORT } from './drafts.js'
import type { GivenKeys, Physical } from './given.js'
import type { Names } from './names.js'

/** The kinds with the keys that are given in place of their own, under the names that they have in this table. */
export function giveKeys(drafts: readonly KindDraft[], physical: Physical, { partition, sort }: Names): KindDraft[] {
  const own: Record<string, string> = { [PARTITION]: partition, [SORT]: sort }
  const renamed = <T>(by: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(by).map(([name, value]) => [own[name] ?? name, value]))
  checkKnown(drafts, physical)
  return drafts.map(draft => {
    const texts = renamed(draft.texts)
    const given = givenTexts(draft, physical.keys?.[draft.type.name])
    const isOwn = (name: string) => name === partition || name === sort
    // A table that keeps its index keys under names of its own has none under ours.
    const keeps = Object.keys(given).every(name => isOwn(name) || name in texts)
    const kept = mapValues(texts, (text, name) => (keeps || isOwn(name) ? text : undefined))
    return { ...draft, texts: { ...kept, ...given }, shards: renamed(draft.shards) }
  })
}

/** The key by which given templates name a kind that is not the type's own item. */
function givenName({ role, of }: KindDraft): string | undefined {
  if (role === 'mirror') return role
  return role === 'facet' ? `by.${of}` : role === 'unique' ? `unique.${of}` : undefined
}

function givenTexts(draft: KindDraft, given: GivenKeys = {}): Record<string, string> {
  const name = givenName(draft)
  const texts = name === undefined ? given : (given[name] as GivenKeys | undefined)
  return mapValues(texts ?? {}, text => (typeof text === 'string' ? text : undefined))
}

/** Refuses keys, names and marks of what the graph does not have. */
function checkKnown(drafts: readonly KindDraft[], { keys = {}, names, marks, type }: Physical): void {
  const check = (what: string, given: object | undefined, known: readonly (string | undefined)[]) => {
    const stray = Object.keys(given ?? {}).find(name => !known.includes(name))
    if (stray === undefined) return
    throw new GraphError('layout.type', `${what} are given for '${stray}', which is not in the graph`, { type: stray })
  }
  const types = drafts.map(draft => draft.type.name)
  const kinds = drafts.map(({ name }) => name)
  check('names', names, types)
  check('marks', { ...marks, ...(typeof type === 'object' && type.values) }, kinds)
  check('keys', keys, types)
  for (const name in keys) {
    const places = mapValues(keys[name]!, text => (typeof text === 'string' ? undefined : text))
    check(`keys of ${name}`, places, drafts.filter(draft => draft.type.name === name).map(givenName))
  }
}
