import type { Condition } from '../../../../src/graph/types/condition.js'
import type { Row } from './identity.js'

/** A condition in the form of a call, and as a predicate on a plain row. */
export interface Held {
  readonly name: string
  /** The attributes that the condition tests. */
  readonly uses: readonly string[]
  readonly condition: Condition<Record<string, never>>
  /** Whether the condition holds for a row, or for a missing row. */
  holds(row: Row | undefined): boolean
}

type Rows = Record<string, never>

const held = (name: string, uses: string[], condition: Condition<Rows>, holds: Held['holds']): Held => ({
  name,
  uses,
  condition,
  holds,
})
const numberIn = (row: Row | undefined, name: string) => row?.[name] as number | undefined

export const NODE_CONDITIONS: readonly Held[] = [
  held(
    'size above 0',
    ['size'],
    row => row.size!.above(0 as never),
    row => (numberIn(row, 'size') ?? 0) > 0,
  ),
  held(
    'name missing',
    ['name'],
    row => row.name!.missing(),
    row => row?.name === undefined,
  ),
  held(
    'rank at least 0 or a name',
    ['rank', 'name'],
    row => row.rank!.atLeast(0 as never).or(row.name!.exists()),
    row => (numberIn(row, 'rank') ?? -1) >= 0 || row?.name !== undefined,
  ),
  held(
    'not size of 12',
    ['size'],
    row => row.size!.is(12 as never).negated(),
    row => row?.size !== 12,
  ),
]

export const EDGE_CONDITIONS: readonly Held[] = [
  held(
    'weight above 0',
    ['weight'],
    row => row.weight!.above(0 as never),
    row => (numberIn(row, 'weight') ?? 0) > 0,
  ),
  held(
    'note missing',
    ['note'],
    row => row.note!.missing(),
    row => row?.note === undefined,
  ),
  held(
    'weight from -1 to 5',
    ['weight'],
    row => row.weight!.between(-1 as never, 5 as never),
    row => row !== undefined && numberIn(row, 'weight')! >= -1 && numberIn(row, 'weight')! <= 5,
  ),
]
