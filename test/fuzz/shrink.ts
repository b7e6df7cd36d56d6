import type { Seen } from './difference.js'
import type { Call } from './random/operation.js'
import type { Round } from './round.js'

/** Returns the difference if a round still shows it. */
export type StillFails = (round: Round) => Promise<Seen | undefined>

/** Each trial runs the round on both sides. */
const MOST_TRIALS = 400

/**
 * Returns the smallest round that still shows a difference. Calls are dropped first, then tables and indexes, then
 * parts of requests.
 */
export async function shrunk(round: Round, stillFails: StillFails): Promise<Round> {
  let left = MOST_TRIALS
  let best = round
  const accept = async (candidate: Round): Promise<boolean> => {
    if (left-- <= 0 || !(await stillFails(candidate))) return false
    best = candidate
    return true
  }
  await dropCalls(() => best, accept)
  await dropTables(() => best, accept)
  for (let i = best.calls.length - 1; i >= 0; i--) await simplifyCall(i, () => best, accept)
  return best
}

type Accept = (candidate: Round) => Promise<boolean>

/** Drops calls in halves, then in smaller parts, down to single calls. */
async function dropCalls(best: () => Round, accept: Accept): Promise<void> {
  for (let size = Math.ceil(best().calls.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < best().calls.length; ) {
      const calls = best().calls.toSpliced(from, size)
      if (!(await accept({ ...best(), calls }))) from += size
    }
  }
}

async function dropTables(best: () => Round, accept: Accept): Promise<void> {
  for (const { name } of best().tables) {
    const isUsed = best().calls.some(call => JSON.stringify(call).includes(name))
    const tables = best().tables.filter(table => table.name !== name)
    if (!isUsed && tables.length > 0) await accept({ ...best(), tables })
  }
  for (const { name, indexes } of best().tables)
    for (const index of indexes) {
      const without = best().tables.map(table =>
        table.name === name ? { ...table, indexes: table.indexes.filter(each => each.name !== index.name) } : table,
      )
      await accept({ ...best(), tables: without })
    }
}

async function simplifyCall(at: number, best: () => Round, accept: Accept): Promise<void> {
  for (let again = true; again; ) {
    again = false
    for (const request of simpler(best().calls[at]!.request)) {
      const calls = best().calls.with(at, { ...best().calls[at]!, request } as Call)
      if (!(await accept({ ...best(), calls }))) continue
      again = true
      break
    }
  }
}

type Json = Record<string, unknown>
const isPlain = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)

/** Yields the request with one part removed: a member, an element, an action or a condition of an expression. */
export function* simpler(value: Json): Generator<Json> {
  for (const name of Object.keys(value)) {
    const { [name]: member, ...rest } = value
    if (name.endsWith('Expression')) yield withoutUnused(rest)
    yield rest
    for (const less of simplerMember(name, member)) yield withoutUnused({ ...value, [name]: less })
  }
}

function* simplerMember(name: string, member: unknown): Generator<unknown> {
  if (isPlain(member)) yield* simpler(member)
  if (typeof member === 'string' && name.endsWith('Expression')) yield* fewerWords(member)
  if (!Array.isArray(member)) return
  for (const [i, element] of member.entries()) {
    yield member.toSpliced(i, 1)
    if (isPlain(element)) for (const less of simpler(element)) yield member.with(i, less)
  }
}

function* fewerWords(expression: string): Generator<string> {
  const clauses = expression.split(/(?=\b(?:SET|REMOVE|ADD|DELETE) )/)
  for (const [i, clause] of clauses.entries()) {
    if (clauses.length > 1) yield clauses.toSpliced(i, 1).join('').trim()
    const [, keyword = '', list = ''] = /^((?:SET|REMOVE|ADD|DELETE) )?(.*)$/s.exec(clause)!
    for (const separator of [/, (?![^(]*\))/, / (?:AND|OR) /]) {
      const parts = list.split(separator)
      if (parts.length < 2) continue
      const joint = separator.test(', ') ? ', ' : ' AND '
      for (const at of parts.keys())
        yield clauses
          .with(i, `${keyword}${parts.toSpliced(at, 1).join(joint)} `)
          .join('')
          .trim()
    }
  }
}

const PLACEHOLDERS = ['ExpressionAttributeNames', 'ExpressionAttributeValues']

/** Removes names and values that no expression uses any more. */
function withoutUnused(value: Json): Json {
  const texts = Object.entries(value).flatMap(([name, member]) => (name.endsWith('Expression') ? [String(member)] : []))
  const used = new Set(texts.join(' ').match(/[#:]\w+/g) ?? [])
  const members = Object.entries(value).flatMap(([name, member]) => {
    if (!PLACEHOLDERS.includes(name) || !isPlain(member)) return [[name, member]]
    const kept = Object.entries(member).filter(([placeholder]) => used.has(placeholder))
    return kept.length > 0 ? [[name, Object.fromEntries(kept)]] : []
  })
  return Object.fromEntries(members) as Json
}
