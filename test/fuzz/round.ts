import { differences } from './compare-outcomes.js'
import { complaintOf } from './complaints.js'
import type { Difference, Seen } from './difference.js'
import { type Fault, OTHER_ORDER, OTHER_WORDS } from './faults/fault.js'
import { alsoComplainsOf } from './proof.js'
import type { Call } from './random/operation.js'
import { randomCall } from './random/operations.js'
import { Chance } from './random/seeded-random.js'
import { definitionOf, randomTable, type TableShape } from './random/tables.js'
import { byText, type Plain, textOf } from './sides/outcome.js'
import { ask } from './sides/send-call.js'
import { ours, type Side, type Witness } from './sides/side.js'
import { leftDifferences, overwriteDifferences } from './state.js'
import { streamDifferences } from './streams.js'

/** The tables and calls of a round, which depend only on a seed and a number. */
export interface Round {
  readonly tables: readonly TableShape[]
  readonly calls: readonly Call[]
}

export function randomRound(seed: number, number: number, callCount: number, native: boolean): Round {
  const chance = new Chance(seed, number)
  const tables = chance.several(1, 2, i => randomTable(chance, { name: `fuzz_${seed}_${number}_${i}`, native }))
  const ground = { chance, tables }
  return { tables, calls: Array.from({ length: callCount }, () => randomCall(ground)) }
}

export interface Leniency {
  readonly faults: readonly Fault[]
  /** Whether errors of the same kind that describe different problems count as differences. */
  readonly words: boolean
}

const WRITES = /^(?:put|update|delete|batchWrite|transactWrite|execute|batchExecute)/
/** Differences after which the items are still equal. */
const HARMLESS: ReadonlySet<string> = new Set([
  'message',
  'text',
  'reasonMessages',
  'reasonItems',
  'Item',
  'ConsumedCapacity',
  'ItemCollectionMetrics',
])
const WORDS: ReadonlySet<string> = new Set(['message', 'reasonMessages'])
const UNORDERED: ReadonlySet<string> = new Set(['Items', 'left', 'leftInIndex'])
const END: Call = { operation: 'scan', request: { 'the end of the round': true } }

/**
 * Runs a round on both sides and returns the differences that no fault explains. Calls `onFault` for every explained
 * one.
 */
export async function judge(
  { tables, calls }: Round,
  theirs: Witness,
  { faults, words }: Leniency,
  onFault: (fault: Fault) => void = () => undefined,
): Promise<Seen[]> {
  const mine = ours()
  const failures: Seen[] = []
  const forced = new Set<string>()
  const sort = async (found: readonly Difference[], around: Omit<Seen, keyof Difference>) => {
    for (const difference of found) {
      const seen = { ...difference, ...around }
      const fault = explanation(faults, seen) ?? (words ? await wording(mine, seen) : undefined)
      if (fault) onFault(fault)
      else if (words || !WORDS.has(difference.at)) failures.push(seen)
    }
  }
  await Promise.all(tables.map(({ name }) => ask(theirs, { operation: 'deleteTable', request: { TableName: name } })))
  await Promise.all(tables.flatMap(table => [mine, theirs].map(side => create(side, table))))
  try {
    for (const call of calls) {
      const avoiding = faults.find(({ avoids }) => avoids?.(call, tables))
      if (avoiding) {
        onFault(avoiding)
        continue
      }
      const [a, b] = await Promise.all([ask(mine, call), ask(theirs, call)])
      const found = differences(call, tables, a, b)
      await sort(found, { call, tables, outcomes: { ours: a, theirs: b } })
      const disturbed = found.some(({ at }) => !HARMLESS.has(at)) || faults.some(({ disturbs }) => disturbs?.(call))
      if (disturbed && WRITES.test(call.operation))
        for (const table of tables)
          for (const key of await overwriteDifferences(mine, theirs, table)) forced.add(`${table.name} ${textOf(key)}`)
    }
    for (const table of tables) {
      const nothing = { call: END, tables: [table], outcomes: { ours: { pages: [] }, theirs: { pages: [] } } }
      await sort(await leftDifferences(mine, theirs, table), nothing)
      if (table.streamed) await sort(await streamDifferences(mine, theirs, table, forced), nothing)
    }
  } finally {
    await Promise.all(tables.map(({ name }) => theirs.send('deleteTable', { TableName: name })))
  }
  return failures
}

/** Returns the fault that explains a difference after the effects of all faults are removed. */
function explanation(faults: readonly Fault[], seen: Seen): Fault | undefined {
  let { ours, theirs } = seen
  for (const fault of faults) {
    if (fault.normalizes) {
      ours = ours === undefined ? ours : fault.normalizes(ours, seen.at)
      theirs = theirs === undefined ? theirs : fault.normalizes(theirs, seen.at)
      if (textOf(settled(seen, ours)) === textOf(settled(seen, theirs))) return fault
    }
    if (fault.explains?.({ ...seen, ours, theirs })) return fault
  }
  return undefined
}

/** Returns why errors of the same kind have different messages. */
async function wording(mine: Side, { at, call, tables, ours, theirs }: Seen): Promise<Fault | undefined> {
  if (!WORDS.has(at)) return undefined
  const messagesOf = (words: Plain | undefined) => (Array.isArray(words) ? words : [words ?? '']).map(String)
  const [ownComplaints, theirComplaints] = [messagesOf(ours).map(complaintOf), messagesOf(theirs).map(complaintOf)]
  if (theirComplaints.includes(undefined) && messagesOf(theirs).some((words, i) => words !== '' && !theirComplaints[i]))
    return undefined
  if (textOf(ownComplaints.map(String)) === textOf(theirComplaints.map(String))) return OTHER_WORDS
  const complaint = theirComplaints[0]
  if (at !== 'message' || complaint === undefined) return undefined
  return (await alsoComplainsOf(mine, tables, call, complaint)) ? OTHER_ORDER : undefined
}

/** Sorts a corrected value where its order is unspecified. */
function settled({ call, at }: Seen, value: Plain | undefined): Plain | undefined {
  const isOrdered = call.operation === 'query' && call.request.IndexName === undefined
  if (!Array.isArray(value) || isOrdered || !UNORDERED.has(at)) return value
  return value.some(Array.isArray) ? value.map(group => (group as Plain[]).toSorted(byText)) : value.toSorted(byText)
}

async function create(side: Side, table: TableShape): Promise<void> {
  await side.send('createTable', definitionOf(table))
  for (;;) {
    const { Table } = (await side.send('describeTable', { TableName: table.name })) as {
      Table: { TableStatus: string; GlobalSecondaryIndexes?: { IndexStatus: string }[] }
    }
    const indexes = Table.GlobalSecondaryIndexes ?? []
    if (Table.TableStatus === 'ACTIVE' && indexes.every(({ IndexStatus }) => IndexStatus === 'ACTIVE')) return
  }
}
