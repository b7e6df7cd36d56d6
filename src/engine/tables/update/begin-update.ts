import type {
  GlobalSecondaryIndexUpdate,
  TableDescription,
  UpdateTableInput,
  WarmThroughput,
} from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { toTableDescription } from '../description/table-description.js'
import { diffDescriptions, type PendingUpdate, type UpdateSubject } from '../pending-update.js'
import type { Table } from '../table.js'
import { createdIndexNameOf, deletedIndexNamesOf } from './requested-changes.js'
import { billingOf } from './throughput.validation.js'
import { toUpdatingDescription } from './updating-description.js'

/** Shows an update as pending for the duration of `transitionMs`, and returns the visible description. */
export function beginUpdate(
  engine: Engine,
  table: Table,
  request: UpdateTableInput,
  before: TableDescription,
): TableDescription {
  const { transitionMs } = engine.settings
  const final = toTableDescription(engine, table, [])
  const subjects = updateSubjectsOf(request, before)
  const untilMs = engine.now() + transitionMs
  const whole: PendingUpdate = {
    subjects,
    untilMs,
    ...diffDescriptions(toUpdatingDescription(request, before, final), final),
  }
  const begunUpdates =
    createdIndexNameOf(request) === undefined
      ? [whole]
      : splitIndexCreation(whole, createdIndexNameOf(request)!, transitionMs)
  const deletedNames = deletedIndexNamesOf(request)
  const others = table.underWay.filter(({ creates }) => creates === undefined || !deletedNames.includes(creates))
  const answer = toTableDescription(engine, table, [...others, ...begunUpdates])
  // A change of encryption shows the table as ACTIVE, even while another update is pending.
  if (request.SSESpecification) answer.TableStatus = 'ACTIVE'
  if (transitionMs > 0 && subjects.length > 0) table.underWay = [...others, ...begunUpdates]
  return answer
}

/**
 * Splits the creation of an index into two phases: allocation, in which the table is updating, and backfilling, in
 * which it is active.
 */
function splitIndexCreation(whole: PendingUpdate, creates: string, transitionMs: number): PendingUpdate[] {
  const IndexStatus = 'CREATING'
  const emptyPatch = { members: {}, hidden: [], leaving: {} }
  const filling = { ...emptyPatch, creates, indexes: [{ IndexName: creates, IndexStatus, Backfilling: true } as const] }
  return [
    { ...filling, subjects: ['indexes'], untilMs: whole.untilMs },
    { ...whole, allocates: creates, untilMs: whole.untilMs - Math.floor(transitionMs / 2) },
  ]
}

/**
 * Returns the subjects of an update. Setting the current billing mode, class or warm throughput is not a change,
 * even if the response shows one.
 */
function updateSubjectsOf(request: UpdateTableInput, before: TableDescription): UpdateSubject[] {
  const { BillingMode, TableClass, GlobalSecondaryIndexUpdates = [], VectorIndexUpdates = [] } = request
  const switches = BillingMode !== undefined && BillingMode !== billingOf(before)
  const subjects: [UpdateSubject, unknown][] = [
    ['units', request.ProvisionedThroughput && !switches],
    ['billing', switches],
    ['stream', request.StreamSpecification],
    ['class', TableClass && TableClass !== (before.TableClassSummary?.TableClass ?? 'STANDARD')],
    ['encryption', request.SSESpecification],
    ['warmth', isWarmer(request.WarmThroughput, before.WarmThroughput)],
    [
      'indexes',
      VectorIndexUpdates.length > 0 || GlobalSecondaryIndexUpdates.some(update => isChangingIndex(update, before)),
    ],
  ]
  return subjects.filter(([, isChanged]) => isChanged).map(([subject]) => subject)
}

function isChangingIndex(
  { Update }: GlobalSecondaryIndexUpdate,
  { GlobalSecondaryIndexes = [] }: TableDescription,
): boolean {
  if (!Update || Update.ProvisionedThroughput || Update.OnDemandThroughput) return true
  const index = GlobalSecondaryIndexes.find(({ IndexName }) => IndexName === Update.IndexName)
  return isWarmer(Update.WarmThroughput, index?.WarmThroughput)
}

function isWarmer(wanted: WarmThroughput = {}, current: WarmThroughput = {}): boolean {
  return (['ReadUnitsPerSecond', 'WriteUnitsPerSecond'] as const).some(
    name => (wanted[name] ?? 0) > (current[name] ?? 0),
  )
}
