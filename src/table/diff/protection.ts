import type { PointInTimeRecoveryDescription } from '../../dynamodb/operation-types.js'
import { PRICE_REGION_AND_DATE } from '../../dynamodb/prices.js'
import { pluralize } from './backfill.js'
import { type DiffContext, type Step, TABLE_ACTIVE } from './step.js'

/** The protection of a table's data: the wanted one, and the live recovery. Omitted settings do not change. */
export interface Protection {
  /** The wanted days of point-in-time recovery. */
  readonly recoveryDays?: number | undefined
  /** The live recovery, which DescribeTable does not return; off by default. */
  readonly recovery?: PointInTimeRecoveryDescription | undefined
  readonly deletion?: boolean | undefined
}

/** Returns the steps that turn protection on. Stronger protection stays, because an operator has chosen it. */
export function protectionSteps({ table, live }: DiffContext, protection: Protection): Step[] {
  const { recoveryDays, recovery, deletion } = protection
  const steps: Step[] = []
  if (recoveryDays !== undefined && recovery?.PointInTimeRecoveryStatus !== 'ENABLED')
    steps.push({
      code: 'recovery.enable',
      operation: 'UpdateContinuousBackups',
      input: {
        TableName: table,
        PointInTimeRecoverySpecification: {
          PointInTimeRecoveryEnabled: true,
          RecoveryPeriodInDays: recoveryDays,
        },
      },
      message: `Keep the table so that it can be restored to any second of the last ${pluralize(recoveryDays, 'day')}.`,
      cost: `$0.20 a GB and month (${PRICE_REGION_AND_DATE}). It begins now: nothing before can be restored.`,
      wait: TABLE_ACTIVE,
      optional: false,
    })
  if (deletion && !live.DeletionProtectionEnabled)
    steps.push({
      code: 'protection.enable',
      operation: 'UpdateTable',
      input: { TableName: table, DeletionProtectionEnabled: true },
      message: 'Refuse to delete the table until this is turned off.',
      cost: 'Costs nothing.',
      wait: TABLE_ACTIVE,
      optional: false,
    })
  return steps
}
