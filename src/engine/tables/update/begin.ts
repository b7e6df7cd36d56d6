import type { TableDescription } from '../../../dynamodb/operations/table-description.js'
import type { WarmThroughput } from '../../../dynamodb/operations/throughput.js'
import type { GlobalSecondaryIndexUpdate, UpdateTableRequest } from '../../../dynamodb/operations/update-table.js'
import type { Engine } from '../../engine.js'
import { describeTable } from '../describe.js'
import type { Table } from '../table.js'
import { type Subject, showing, type UnderWay } from '../under-way.js'
import { asUpdating } from './answer.js'
import { createdIndex, deletedIndexes } from './changes.js'
import { billingOf } from './throughput.validation.js'

/** Lets an update show for as long as the engine is told to take for it, and answers the table as it shows now. */
export function beginUpdate(
  engine: Engine,
  table: Table,
  request: UpdateTableRequest,
  before: TableDescription,
): TableDescription {
  const { transitionMs } = engine.settings
  const final = describeTable(engine, table, [])
  const subjects = subjectsOf(request, before)
  const untilMs = engine.now() + transitionMs
  const whole: UnderWay = { subjects, untilMs, ...showing(asUpdating(request, before, final), final) }
  const begun = createdIndex(request) === undefined ? [whole] : inTwo(whole, createdIndex(request)!, transitionMs)
  const gone = deletedIndexes(request)
  const others = table.underWay.filter(({ creates }) => creates === undefined || !gone.includes(creates))
  const answer = describeTable(engine, table, [...others, ...begun])
  // Encryption leaves a table active, and says so even where something else does not.
  if (request.SSESpecification) answer.TableStatus = 'ACTIVE'
  if (transitionMs > 0 && subjects.length > 0) table.underWay = [...others, ...begun]
  return answer
}

/** An index is first given its place, while the table is updating, and then filled, while it is active. */
function inTwo(whole: UnderWay, creates: string, transitionMs: number): UnderWay[] {
  const IndexStatus = 'CREATING'
  const none = { members: {}, hidden: [], leaving: {} }
  const filling = { ...none, creates, indexes: [{ IndexName: creates, IndexStatus, Backfilling: true } as const] }
  return [
    { ...filling, subjects: ['indexes'], untilMs: whole.untilMs },
    { ...whole, allocates: creates, untilMs: whole.untilMs - Math.floor(transitionMs / 2) },
  ]
}

/** What a request changes. A mode, a class or a warmth that the table has already is not changed, whatever the answer says. */
function subjectsOf(request: UpdateTableRequest, before: TableDescription): Subject[] {
  const { BillingMode, TableClass, GlobalSecondaryIndexUpdates = [], VectorIndexUpdates = [] } = request
  const switches = BillingMode !== undefined && BillingMode !== billingOf(before)
  const subjects: [Subject, unknown][] = [
    ['units', request.ProvisionedThroughput && !switches],
    ['billing', switches],
    ['stream', request.StreamSpecification],
    ['class', TableClass && TableClass !== (before.TableClassSummary?.TableClass ?? 'STANDARD')],
    ['encryption', request.SSESpecification],
    ['warmth', isWarmer(request.WarmThroughput, before.WarmThroughput)],
    ['indexes', VectorIndexUpdates.length > 0 || GlobalSecondaryIndexUpdates.some(update => changes(update, before))],
  ]
  return subjects.filter(([, isChanged]) => isChanged).map(([subject]) => subject)
}

function changes({ Update }: GlobalSecondaryIndexUpdate, { GlobalSecondaryIndexes = [] }: TableDescription): boolean {
  if (!Update || Update.ProvisionedThroughput || Update.OnDemandThroughput) return true
  const index = GlobalSecondaryIndexes.find(({ IndexName }) => IndexName === Update.IndexName)
  return isWarmer(Update.WarmThroughput, index?.WarmThroughput)
}

function isWarmer(wanted: WarmThroughput = {}, current: WarmThroughput = {}): boolean {
  return (['ReadUnitsPerSecond', 'WriteUnitsPerSecond'] as const).some(
    name => (wanted[name] ?? 0) > (current[name] ?? 0),
  )
}
