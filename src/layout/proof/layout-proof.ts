import type { Access } from '../access.js'
import type { Kind } from '../kinds.js'
import type { Layout } from '../layout.js'
import type { Template } from '../template.js'
import { type Finding, type KeyQuery, type KeySpace, prove } from './prove.js'

/** Whether the keys of a layout can be told apart in its table and in every index, and no read sees what is not its own. */
export function proveLayout(layout: Layout): Finding[] {
  return prove(spacesOf(layout))
}

/** Throws the first finding, if there is one. */
export function assertLayout(layout: Layout): void {
  const [finding] = proveLayout(layout)
  if (finding) throw finding
}

function spacesOf({ kinds, accesses, design }: Layout): KeySpace[] {
  const own = design.keys
  const composed = design.indexes.filter(
    // An inverted index takes in every item, as its reads know; the keys of a native one are attributes.
    ({ partition, sort }) =>
      partition.length === 1 && sort.length === 1 && partition[0] !== own.sort && partition[0] !== own.partition,
  )
  return [
    spaceOf(
      'the table',
      true,
      kinds,
      own.partition,
      own.sort,
      accesses.filter(({ index }) => index === undefined),
    ),
    ...composed.map(({ name, partition, sort }) =>
      spaceOf(
        `the index ${name}`,
        false,
        kinds,
        partition[0]!,
        sort[0]!,
        accesses.filter(({ index }) => index === name),
      ),
    ),
  ]
}

function spaceOf(
  name: string,
  unique: boolean,
  all: readonly Kind[],
  partition: string,
  sort: string,
  accesses: readonly Access[],
): KeySpace {
  const kinds = all
    .filter(kind => kind.keys[partition] && kind.keys[sort] && !isOtherHalf(kind))
    .map(kind => ({ kind: kind.name, partition: kind.keys[partition]!, sort: kind.keys[sort]! }))
  return { name, unique, kinds, queries: accesses.flatMap(queryOf) }
}

/** Both items of an undirected edge have the same keys, and never meet: one begins with the lesser of its ends. */
function isOtherHalf({ role, type }: Kind): boolean {
  return role === 'mirror' && type.kind === 'edge' && type.undirected
}

function queryOf({ type, name, kind, partition, sort, given }: Access): KeyQuery[] {
  if (!partition || !sort) return []
  const kinds = isOtherHalf(kind) ? [type.name] : [kind.name]
  return [{ by: `${type.name}.by.${name}`, kinds, partition, sort, given: leading(sort, given) }]
}

function leading({ slots }: Template, given: readonly string[]): number {
  const first = slots.findIndex(slot => !given.includes(slot.name))
  return first < 0 ? slots.length : first
}
