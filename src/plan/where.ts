import type { Access } from '../layout/access.js'
import type { LastPart } from '../layout/template-condition.js'
import { pathError } from './identity.js'
import { membersNamed, partOf, partValues, referencesOf } from './members.js'
import type { Slots } from './plan.js'

/** Parts of a path's order from the left by their values, the last perhaps by a range or a beginning. */
export type Where = Readonly<Record<string, unknown>>

/** A `where` as stored values: what is equal, and what is said of the part after it. */
export interface ReadWhere {
  readonly equal: Slots
  readonly slot?: string
  readonly last?: LastPart
}

/** Reads a `where`, which must go through the parts of the path without a hole. */
export function readWhere(access: Access, where: Where = {}): ReadWhere {
  const { type, parts } = access
  const row: Record<string, unknown> = {}
  const ranges: { slot: string; last: LastPart }[] = []
  for (const name in where) {
    const value = where[name]
    const range = rangeOf(access, name, value as object | undefined)
    if (range) ranges.push(range)
    else if (value !== undefined) row[name] = value
  }
  const equal = partValues(type, row)
  const lost = Object.keys(row).find(name => !membersNamed(type, name).some(({ slot }) => equal[slot]))
  if (lost !== undefined) throw refused(access, `takes an id as '${lost}'`)
  const given = [...Object.keys(equal), ...ranges.map(({ slot }) => slot)]
  const first = parts.slice(0, given.length)
  if (given.some(slot => !first.includes(slot)) || ranges.some(({ slot }) => slot !== first.at(-1)))
    throw refused(access, `goes by ${parts.join(', ') || 'nothing more'}: give these from the left, a range last`)
  return { equal, ...ranges[0] }
}

const refused = (access: Access, fault: string) => pathError('read.part', access, fault)

/** Ranges are plain objects, which no single value is; an id of several parts is one, and has no range. */
function rangeOf(
  access: Access,
  name: string,
  value: object | null | undefined,
): { slot: string; last: LastPart } | undefined {
  if (value?.constructor !== Object) return undefined
  const [member, more] = membersNamed(access.type, name)
  if (more) return undefined
  const { slot, path } = member!
  const { from, to, startsWith = '' } = value as Readonly<Partial<Record<'from' | 'to' | 'startsWith', unknown>>>
  const said = Object.keys(value).sort().join()
  if (!/^(from|from,to|to|startsWith)$/.test(said) || typeof startsWith !== 'string')
    throw refused(access, `takes a value, { from, to } or { startsWith } as '${name}'`)
  const stored = (bound: unknown) => (bound === undefined ? undefined : partOf(member!).encode(bound, path))
  return {
    slot,
    last: said === 'startsWith' ? { startsWith } : { from: stored(from), to: stored(to) },
  }
}

/** The slots of what a read is given: the id of a node, or the parts of a path by name. */
export function givenValues(access: Access, given: unknown): Slots {
  const { type, name } = access
  const starts = referencesOf(type).some(reference => reference.name === name)
  const row = starts ? { [name]: given } : (given ?? {})
  const values = Object(row) === row && partValues(type, row as Where)
  if (values && Object.keys(values).every(slot => access.given.includes(slot))) return values
  throw refused(access, `takes { ${access.given} }, where() the rest`)
}
