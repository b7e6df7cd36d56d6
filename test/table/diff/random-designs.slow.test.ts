import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { GlobalSecondaryIndexDescription, TableDescription } from '../../../src/dynamodb/operation-types.js'
import { memory } from '../../../src/engine/memory.js'
import { findTableFaults } from '../../../src/graph/table-setup/drift.js'
import type { IndexDesign, TableDesign } from '../../../src/layout/design.js'
import { diff } from '../../../src/table/diff/difference.js'
import type { Step } from '../../../src/table/diff/step.js'
import { STREAM_VIEWS, toCreateTableInput, toTimeToLiveInput } from '../../../src/table/table-definition.js'
import { runs } from '../../graph/model/suite.js'
import { anyTwoDesigns } from './random-designs.js'

const HOUR_MS = 3600 * 1000
const TRANSITION_MS = 1000
const TableName = 'cinema'

/** A table with its own clock. Steps are applied one by one, each after its wait condition. */
class LiveTable {
  private nowMs = Date.UTC(2026, 0, 1)
  private readonly store = memory({ now: () => this.nowMs, transitionMs: TRANSITION_MS })

  static async of(design: TableDesign): Promise<LiveTable> {
    const made = new LiveTable()
    await made.store.createTable(toCreateTableInput(design))
    await made.until('the table is ACTIVE')
    const ttl = toTimeToLiveInput(design)
    if (ttl) await made.store.updateTimeToLive(ttl)
    await made.until('an hour has passed')
    return made
  }

  async described() {
    const { TimeToLiveDescription: ttl } = await this.store.describeTimeToLive({ TableName })
    return { live: await this.live(), ttl }
  }

  private async live(): Promise<TableDescription> {
    return (await this.store.describeTable({ TableName })).Table!
  }

  async differenceTo(design: TableDesign) {
    const { live, ttl } = await this.described()
    return diff(design, live, { ttl })
  }

  async take(step: Step): Promise<void> {
    if (step.operation === 'UpdateTable') await this.store.updateTable(step.input)
    else if (step.operation === 'UpdateTimeToLive') await this.store.updateTimeToLive(step.input)
    await this.until(step.wait)
  }

  private async until(wait: string): Promise<void> {
    if (wait === 'an hour has passed') this.nowMs += HOUR_MS + 1
    else while (!isSo(wait, await this.live())) this.nowMs += TRANSITION_MS / 10
  }
}

function isSo(wait: string, { TableStatus, GlobalSecondaryIndexes: indexes = [] }: TableDescription): boolean {
  const isActive = indexes.every(({ IndexStatus }) => IndexStatus === 'ACTIVE')
  if (wait === 'the table is ACTIVE') return TableStatus === 'ACTIVE'
  if (wait === 'the table and its indexes are ACTIVE') return TableStatus === 'ACTIVE' && isActive
  const [, name, what] = /^(\S+) is (ACTIVE|gone)$/.exec(wait)!
  const index = indexes.find(({ IndexName }) => IndexName === name)
  return what === 'gone' ? !index : index?.IndexStatus === 'ACTIVE'
}

/** The differences between a table and a design, by a different method than `diff`. */
async function lacking(table: LiveTable, design: TableDesign): Promise<string[]> {
  const { live, ttl } = await table.described()
  const { capacity, stream, expires } = design
  const billing = live.BillingModeSummary?.BillingMode === 'PAY_PER_REQUEST' ? 'on-demand' : unitsOf(live)
  const view = live.StreamSpecification?.StreamViewType
  const views = stream === 'none' ? [] : [STREAM_VIEWS[stream], 'NEW_AND_OLD_IMAGES']
  return [
    ...design.indexes.flatMap(index => lackingIndex(live, design, index)),
    ...(JSON.stringify(billing) === JSON.stringify(capacity) ? [] : ['capacity']),
    ...(stream === 'none' || (stream === 'keys' ? view : views.includes(view!)) ? [] : ['stream']),
    ...((ttl?.TimeToLiveStatus === 'ENABLED' ? ttl.AttributeName : undefined) === expires ? [] : ['ttl']),
  ]
}

function unitsOf({ ProvisionedThroughput: units }: Pick<GlobalSecondaryIndexDescription, 'ProvisionedThroughput'>) {
  return { read: units?.ReadCapacityUnits, write: units?.WriteCapacityUnits }
}

function lackingIndex(live: TableDescription, design: TableDesign, index: IndexDesign): string[] {
  const { name, kind, partition, sort, project } = index
  const all = kind === 'global' ? live.GlobalSecondaryIndexes : live.LocalSecondaryIndexes
  const found: GlobalSecondaryIndexDescription | undefined = all?.find(({ IndexName }) => IndexName === name)
  if (!found) return [name]
  const keys = [...partition.map(key => `${key} HASH`), ...sort.map(key => `${key} RANGE`)]
  const has = found.KeySchema?.map(({ AttributeName, KeyType }) => `${AttributeName} ${KeyType}`)
  const isOfType = ({ AttributeName = '', AttributeType = '' }) =>
    ![...partition, ...sort].includes(AttributeName) || design.attributes[AttributeName] === AttributeType
  const { ProjectionType, NonKeyAttributes = [] } = found.Projection ?? {}
  const held = ['PK', 'SK', ...partition, ...sort, ...NonKeyAttributes]
  const isHeld = project !== 'all' && (project === 'keys' || project.every(each => held.includes(each)))
  const wanted = kind === 'local' || design.capacity === 'on-demand' ? undefined : (index.capacity ?? design.capacity)
  return [
    ...(keys.join() === has?.join() && live.AttributeDefinitions?.every(isOfType) ? [] : [`key of ${name}`]),
    ...(ProjectionType === 'ALL' || isHeld ? [] : [`projection of ${name}`]),
    ...(!wanted || JSON.stringify(unitsOf(found)) === JSON.stringify(wanted) ? [] : [`capacity of ${name}`]),
  ]
}

test('the steps between any two designs are possible in their order, lead to the target, and the required ones are necessary', async () => {
  const holds = async ([was, is]: readonly [TableDesign, TableDesign], optional: boolean) => {
    const table = await LiveTable.of(was)
    expect(await table.differenceTo(was)).toEqual({ table: TableName, busy: [], steps: [], impossible: [] })
    const { steps, impossible } = await table.differenceTo(is)
    if (impossible.some(each => !each.optional)) return
    for (const step of steps) if (optional || !step.optional) await table.take(step)
    expect(await lacking(table, is)).toEqual([])
    expect(findTableFaults(is, (await table.described()).live)).toEqual([])
    const left = await table.differenceTo(is)
    expect(left.steps.filter(step => optional || !step.optional)).toEqual([])

    const needed = steps.filter(step => !step.optional)
    for (const omitted of needed) {
      const other = await LiveTable.of(was)
      const others = needed.filter(step => step !== omitted)
      const isDone = await inTurn(others, step => other.take(step))
      expect(isDone && (await lacking(other, is)).length === 0, omitted.message).toBe(false)
    }
  }
  await fc.assert(fc.asyncProperty(anyTwoDesigns, fc.boolean(), holds), { numRuns: runs(60) })
})

/** Returns false if a step is rejected. */
async function inTurn<T>(all: readonly T[], take: (each: T) => Promise<void>): Promise<boolean> {
  try {
    for (const each of all) await take(each)
    return true
  } catch {
    return false
  }
}
