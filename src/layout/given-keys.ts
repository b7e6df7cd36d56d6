import type { DeclaredEdge, DeclaredNode } from '../schema/declared.js'
import { endNamed } from '../schema/ends.js'
import { GraphError } from '../schema/error.js'
import { mapValues } from '../schema/map-values.js'
import { joined, otherEnd } from './default-keys.js'
import type { KindDraft, Role } from './drafts.js'
import type { GivenKeys, Physical } from './given.js'
import type { Names } from './names.js'
import { heldSlots } from './plain-keys.js'
import { referenceSlots } from './slots.js'

/** The kinds with the keys that are given in place of their own. */
export function giveKeys(drafts: readonly KindDraft[], physical: Physical, { partition, sort }: Names): KindDraft[] {
  checkKnown(drafts, physical)
  return drafts.flatMap(draft => {
    const texts = { ...draft.texts, [partition]: besideNode(draft.texts[partition]!, drafts, physical, partition) }
    const given = givenTexts(draft, physical.keys?.[draft.type.name])
    // A table that keeps its index keys under names of its own has none under ours.
    const keeps = Object.keys(given).every(name => name in texts)
    const kept = mapValues(texts, (text, name) => (keeps || name === partition || name === sort ? text : undefined))
    const keyed = { ...draft, texts: { ...kept, ...given } }
    return [keyed, ...onlyOne(keyed, partition, sort)]
  })
}

/** A partition that is a node's by default is the node's as well where that has one that is given. */
function besideNode(text: string, drafts: readonly KindDraft[], { keys = {} }: Physical, partition: string): string {
  const [head, ...slots] = text.split('#')
  const { id, within } = (drafts.find(({ role, name }) => role === 'node' && name === head)?.type ?? {}) as DeclaredNode
  const given = keys[head!]?.[partition]
  if (!id || within || typeof given !== 'string') return text
  const placed = given.replace(/\{\{|\{([^{}]+)\}/g, (slot, name) => slots[id.indexOf(name)] ?? slot)
  return [placed, ...slots.slice(id.length)].join('#')
}

/**
 * Where the key of a node's one edge says where it leads, a second could lie beside it: a sentinel of the node forbids
 * it, which stands for no attribute.
 */
function onlyOne({ role, type, texts }: KindDraft, partition: string, sort: string): KindDraft[] {
  const edge = type as DeclaredEdge
  const near = role === 'edge' && endNamed(edge, edge.one)
  if (!near) return []
  const key = `${texts[partition]}${texts[sort]}`
  if (!referenceSlots(otherEnd(edge, near)).some(slot => key.includes(`{${slot}}`))) return []
  const name = `${type.name}.$one`
  const text = joined(name, referenceSlots(near))
  const own = { [partition]: text, ...(sort && { [sort]: text }) }
  return [{ name, role: 'unique', type, texts: own, shards: {}, held: [] }]
}

/** The key by which given templates name a kind that is not the type's own item. */
function givenName({ role, of }: KindDraft): string | undefined {
  const names: Partial<Record<Role, string>> = { mirror: role, facet: `by.${of}`, unique: `unique.${of}` }
  return names[role]
}

function givenTexts(draft: KindDraft, given: GivenKeys = {}): Record<string, string> {
  const name = givenName(draft)
  const texts = name ? (given[name] as GivenKeys | undefined) : given
  return mapValues(texts, text => (typeof text === 'string' ? text : undefined))
}

/** Refuses keys, names and marks of what the graph does not have. */
function checkKnown(drafts: readonly KindDraft[], { keys = {}, names, marks, type }: Physical): void {
  const check = (what: string, given: object | undefined, known: readonly (string | undefined)[]) => {
    for (const stray in given)
      if (!known.includes(stray))
        throw new GraphError('layout.type', `${what} are given for '${stray}', which is not in the graph`, {
          type: stray,
        })
  }
  const types = drafts.map(draft => draft.type.name)
  const kinds = drafts.map(({ name }) => name)
  check('names', names, types)
  check('marks', { ...marks, ...Object(type).values }, kinds)
  check('keys', keys, types)
  for (const draft of drafts) if (!draft.of) check(`names of ${draft.name}`, names?.[draft.name], heldSlots(draft))
  for (const name in keys) {
    const places = mapValues(keys[name]!, text => (typeof text === 'string' ? undefined : text))
    check(`keys of ${name}`, places, drafts.filter(draft => draft.type.name === name).map(givenName))
  }
}
