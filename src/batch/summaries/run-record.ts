import type { Context } from '../../graph/context.js'
import { JOB_RUN_TOKEN, receiptKey } from '../../layout/items/internal-items.js'
import { WriteExpression } from '../../plan/write/expression.js'
import { GraphError } from '../../schema/error.js'
import type { RunTimes } from './summary-write.js'

const MOMENT = 'moment'
const COMPUTED = 'computed'

/** The item with the moment of the data of the last complete run of a job. */
const recordKey = ({ layout }: Context, name: string) => receiptKey(layout, JOB_RUN_TOKEN + name)

/** The data and the time of the last complete run of a job; undefined before its first. */
export async function lastRun(context: Context, name: string): Promise<RunTimes | undefined> {
  const TableName = context.layout.design.name
  const { Item } = await context.store.getItem({ TableName, Key: recordKey(context, name), ConsistentRead: true })
  const [moment, computed] = [Item?.[MOMENT]?.S, Item?.[COMPUTED]?.S]
  return moment === undefined || computed === undefined ? undefined : { moment, computed }
}

/** Notes a complete run, unless one of later data has ended since. */
export async function noteRun(context: Context, name: string, { moment, computed }: RunTimes): Promise<void> {
  const expression = new WriteExpression()
  expression.where(expression.missing(MOMENT), `${expression.name(MOMENT)} <= ${expression.value({ S: moment })}`)
  const key = recordKey(context, name)
  const { names, design } = context.layout
  const Item = { ...key, [names.type]: { S: '$receipt' }, [MOMENT]: { S: moment }, [COMPUTED]: { S: computed } }
  try {
    await context.store.putItem(expression.addWriteTo({ TableName: design.name, Item }) as never)
  } catch (error) {
    if ((error as Error).name !== 'ConditionalCheckFailedException') throw error
  }
}

/** Rejects data that is older than that of the last run, which would take summaries back in time. */
export function assertNotOlder(name: string, last: RunTimes | undefined, moment: string): void {
  if (last && last.moment > moment)
    throw new GraphError(
      'batch.job',
      `job '${name}': its data is of ${moment}, but it already ran with data of ${last.moment}; use a later export.`,
    )
}
