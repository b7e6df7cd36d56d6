import { GraphError } from '../../schema/error.js'
import type { Counterexample } from '../../schema/error-details.js'
import type { KeyTemplate } from '../keys/template.js'
import { describeCounterexample } from './counterexample.js'
import { findAmbiguousKey, findSharedKey, findUnrequestedKey } from './find-conflicts.js'
import type { SharedText } from './text-search.js'

/** The templates of one kind of item in a table or an index. */
export interface KeysOfKind {
  readonly kind: string
  readonly partition: KeyTemplate
  readonly sort: KeyTemplate
}

/** A read of one partition, with the slots of its sort key that are always given, from the left. */
export interface KeyQuery {
  readonly path: string
  /** The kinds that it is meant to return. */
  readonly kinds: readonly string[]
  readonly partition: KeyTemplate
  readonly sort: KeyTemplate
  readonly slotCount: number
}

/** A table or an index. */
export interface KeySpace {
  readonly name: string
  /** Whether a key identifies one item, as in the table. Entries of an index may have equal keys. */
  readonly unique: boolean
  readonly kinds: readonly KeysOfKind[]
  readonly queries: readonly KeyQuery[]
}

/** A `key.ambiguous`, `key.collision` or `key.mixed` error. */
export type ProofFinding = GraphError<'key.ambiguous' | 'key.collision' | 'key.mixed'>

/**
 * Finds violations in the keys of every table and index: a key that can be read in two ways, two kinds with a common
 * key, or a read that returns other items. The sets of possible texts are compared, so a violation that is not found
 * cannot happen. A slot in both keys of an item is treated as two independent slots, so a finding may be a false alarm.
 */
export function proveKeySpaces(spaces: readonly KeySpace[]): ProofFinding[] {
  // Several indexes may use the same key, which is proved once.
  const proved = new Set<KeyTemplate>()
  return spaces.flatMap(space => [
    ...space.kinds.flatMap(kind => findAmbiguities(space, kind, proved)),
    ...(space.unique
      ? space.kinds.flatMap((kind, index) => findCollisions(space, kind, space.kinds.slice(index + 1)))
      : []),
    ...space.queries.flatMap(query => [...findMixedReads(space, query), ...findOverreads(space, query)]),
  ])
}

function findAmbiguities(
  { name }: KeySpace,
  { kind, partition, sort }: KeysOfKind,
  proved: Set<KeyTemplate>,
): ProofFinding[] {
  return [partition, sort].flatMap(template => {
    if (proved.has(template)) return []
    proved.add(template)
    const shared = findAmbiguousKey(template)
    if (!shared) return []
    const example = counterexampleOf(shared)
    return new GraphError(
      'key.ambiguous',
      `${kind}: the key '${template.source}' can be read in two ways, because ${describeCounterexample(example)}; put '#' between its parts.`,
      { space: name, kinds: [kind, kind], query: undefined, example },
    )
  })
}

function findCollisions({ name }: KeySpace, one: KeysOfKind, others: readonly KeysOfKind[]): ProofFinding[] {
  return others.flatMap(other => {
    const example = findSharedKey(one, other)
    if (!example) return []
    return new GraphError(
      'key.collision',
      `${name}: items of ${one.kind} and ${other.kind} can have the same key, because ${describeCounterexample(example, one.kind, other.kind)}; begin one of the keys differently.`,
      { space: name, kinds: [one.kind, other.kind], query: undefined, example },
    )
  })
}

function findMixedReads({ name, kinds }: KeySpace, query: KeyQuery): ProofFinding[] {
  const others = kinds.filter(({ kind }) => !query.kinds.includes(kind))
  return others.flatMap(other => {
    const example = findSharedKey(query, other, query.slotCount)
    if (!example) return []
    return new GraphError(
      'key.mixed',
      `${query.path}: its read in ${name} can also return ${other.kind}, because ${describeCounterexample(example, query.path, other.kind)}; begin their sort keys differently.`,
      { space: name, kinds: [firstKindOf(query), other.kind], query: query.path, example },
    )
  })
}

function findOverreads({ name }: KeySpace, query: KeyQuery): ProofFinding[] {
  const shared = findUnrequestedKey(query.sort, query.slotCount)
  if (!shared) return []
  const example = counterexampleOf(shared)
  const kind = firstKindOf(query)
  return [
    new GraphError(
      'key.mixed',
      `${query.path}: its read in ${name} by the beginning of '${query.sort.source}' can also return other values, because ${describeCounterexample(example, 'requested', 'returned')}; put '#' after the part.`,
      { space: name, kinds: [kind, kind], query: query.path, example },
    ),
  ]
}

const firstKindOf = ({ kinds, path }: KeyQuery) => kinds[0] ?? path

const counterexampleOf = ({ text, left, right }: SharedText): Counterexample => ({
  texts: [text],
  left,
  right,
  isCertain: true,
})
