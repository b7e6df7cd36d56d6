import type { Access } from '../../layout/access/access.js'
import type { LastSlotTest } from '../../layout/keys/template-condition.js'
import { pathError } from '../identity.js'
import { elementAttributeOf, encodeParts, membersByName, referencesOf } from '../members.js'
import type { SlotValues } from '../plan.js'

/** Values for the leading parts of a path's order. The last part may have a range or a prefix. */
export type PathWhere = Readonly<Record<string, unknown>>

/** A `where` as stored values: equal parts, and the condition on the part after them. */
export interface ParsedWhere {
  readonly equal: SlotValues
  readonly slot?: string
  readonly last?: LastSlotTest
}

/** Parses a `where`, which must give the parts of the path from the left without a gap. */
export function parseWhere(access: Access, where: PathWhere = {}): ParsedWhere {
  const { type, sortSlots } = access
  const row: Record<string, unknown> = {}
  const ranges: { slot: string; last: LastSlotTest }[] = []
  for (const name in where) {
    const value = where[name]
    const range = parseRange(access, name, value as object | undefined)
    if (range) ranges.push(range)
    else if (value !== undefined) row[name] = value
  }
  const equal = encodeParts(type, row)
  const unencoded = Object.keys(row).find(name => !membersByName(type, name).some(({ slot }) => equal[slot]))
  if (unencoded !== undefined) throw whereError(access, `'${unencoded}' is not an id; give an id`)
  const givenSlots = [...Object.keys(equal), ...ranges.map(({ slot }) => slot)]
  const first = sortSlots.slice(0, givenSlots.length)
  if (givenSlots.some(slot => !first.includes(slot)) || ranges.some(({ slot }) => slot !== first.at(-1)))
    throw whereError(
      access,
      `where() skips a part, or has one that the order of the path lacks; give ${sortSlots.join(', ') || 'no parts'} from the left, and a range last`,
    )
  return { equal, ...ranges[0] }
}

const whereError = (access: Access, problem: string) => pathError('read.part', access, problem)

/**
 * Ranges are plain objects. A single value is never a plain object, and an id of several parts is a value without
 * ranges.
 */
function parseRange(
  access: Access,
  name: string,
  value: object | null | undefined,
): { slot: string; last: LastSlotTest } | undefined {
  if (value?.constructor !== Object) return undefined
  const [member, more] = membersByName(access.type, name)
  if (more) return undefined
  const { slot, path } = member!
  const { from, to, startsWith = '' } = value as Readonly<Partial<Record<'from' | 'to' | 'startsWith', unknown>>>
  const keys = Object.keys(value).sort().join()
  if (!/^(from|from,to|to|startsWith)$/.test(keys) || typeof startsWith !== 'string')
    throw whereError(access, `'${name}' is neither a value nor a range; give a value, { from, to } or { startsWith }`)
  const stored = (bound: unknown) => (bound === undefined ? undefined : elementAttributeOf(member!).encode(bound, path))
  return {
    slot,
    last: keys === 'startsWith' ? { startsWith } : { from: stored(from), to: stored(to) },
  }
}

/** Encodes the start of a read: the id of a node, or the parts of a path by name. */
export function encodeStart(access: Access, start: unknown): SlotValues {
  const { type, name } = access
  const isNode = referencesOf(type).some(reference => reference.name === name)
  const row = isNode ? { [name]: start } : (start ?? {})
  const values = Object(row) === row && encodeParts(type, row as PathWhere)
  if (values && Object.keys(values).every(slot => access.requiredSlots.includes(slot))) return values
  throw whereError(access, `the start is not { ${access.requiredSlots} }; give these parts, and the rest in where()`)
}
