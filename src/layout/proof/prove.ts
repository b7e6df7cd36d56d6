import { GraphError } from '../../schema/error.js'
import type { Template } from '../template.js'
import { ambiguous, both, ownValues } from './checks.js'
import type { Found } from './search.js'
import { type Example, wordOf } from './words.js'

/** The templates of one kind of item in a table or an index. */
export interface KeysOfKind {
  readonly kind: string
  readonly partition: Template
  readonly sort: Template
}

/** A read of one partition: the slots of its sort key that are always given, from the left. */
export interface KeyQuery {
  readonly by: string
  /** the kinds that it is to see */
  readonly kinds: readonly string[]
  readonly partition: Template
  readonly sort: Template
  readonly given: number
}

/** A table or an index. */
export interface KeySpace {
  readonly name: string
  /** Whether a key names one item, as in the table. Entries of an index may share theirs. */
  readonly unique: boolean
  readonly kinds: readonly KeysOfKind[]
  readonly queries: readonly KeyQuery[]
}

/** What is wrong with a set of templates: the kinds, the read if it is one that sees too much, and an example. */
export interface Fault {
  readonly space: string
  readonly kinds: readonly [string, string]
  readonly query: string | undefined
  readonly example: Example
}

/** `key.ambiguous`, `key.collision` or `key.mixed`, ready to be thrown. */
export type Finding = GraphError<Fault>

/**
 * Whether the keys of every table and index can be told apart: no key is read two ways, no two kinds have a key in
 * common, and no read sees what it was not made for. The texts that templates make are compared, so that what is not
 * found cannot happen; a slot that stands in both keys of an item is taken to be free in each, which may find too much.
 */
export function prove(spaces: readonly KeySpace[]): Finding[] {
  // Indexes may have keys of the table among theirs, or one key for both.
  const proved = new Set<Template>()
  return spaces.flatMap(space => [
    ...space.kinds.flatMap(kind => twoWays(space, kind, proved)),
    ...(space.unique
      ? space.kinds.flatMap((kind, index) => collisions(space, kind, space.kinds.slice(index + 1)))
      : []),
    ...space.queries.flatMap(query => [...strays(space, query), ...otherValues(space, query)]),
  ])
}

function twoWays({ name }: KeySpace, { kind, partition, sort }: KeysOfKind, proved: Set<Template>): Finding[] {
  return [partition, sort].flatMap(template => {
    if (proved.has(template)) return []
    proved.add(template)
    const read = ambiguous(template)
    if (!read) return []
    const example = single(read)
    return new GraphError<Fault>(
      'key.ambiguous',
      `The key "${template.source}" of ${kind} can be read in two ways: ${wordOf(example)}. Put "#" between its parts.`,
      { space: name, kinds: [kind, kind], query: undefined, example },
    )
  })
}

function collisions({ name }: KeySpace, one: KeysOfKind, others: readonly KeysOfKind[]): Finding[] {
  return others.flatMap(other => {
    const example = both(one, other)
    if (!example) return []
    return new GraphError<Fault>(
      'key.collision',
      `Items of ${one.kind} and of ${other.kind} can have the same key in ${name}: ${wordOf(example, one.kind, other.kind)}. Begin one of them differently.`,
      { space: name, kinds: [one.kind, other.kind], query: undefined, example },
    )
  })
}

function strays({ name, kinds }: KeySpace, query: KeyQuery): Finding[] {
  const others = kinds.filter(({ kind }) => !query.kinds.includes(kind))
  return others.flatMap(other => {
    const example = both(query, other, query.given)
    if (!example) return []
    return new GraphError<Fault>(
      'key.mixed',
      `Reading ${query.by} in ${name} can also see ${other.kind}: ${wordOf(example, query.by, other.kind)}. Begin their sort keys differently.`,
      { space: name, kinds: [firstKind(query), other.kind], query: query.by, example },
    )
  })
}

function otherValues({ name }: KeySpace, query: KeyQuery): Finding[] {
  const read = ownValues(query.sort, query.given)
  if (!read) return []
  const example = single(read)
  const kind = firstKind(query)
  return [
    new GraphError<Fault>(
      'key.mixed',
      `Reading ${query.by} in ${name} by the beginning of "${query.sort.source}" can see other values than it asks for: ${wordOf(example, 'asked', 'seen')}. Put "#" after the part.`,
      { space: name, kinds: [kind, kind], query: query.by, example },
    ),
  ]
}

const firstKind = ({ kinds, by }: KeyQuery) => kinds[0] ?? by

const single = ({ text, left, right }: Found): Example => ({ texts: [text], left, right, certain: true })
