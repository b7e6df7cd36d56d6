import type { UpdateContinuousBackupsInput } from '../../dynamodb/operations/continuous-backups.js'
import type { TableDescription } from '../../dynamodb/operations/table-description.js'
import type { TimeToLiveDescription, UpdateTimeToLiveInput } from '../../dynamodb/operations/time-to-live.js'
import type { UpdateTableInput } from '../../dynamodb/operations/update-table.js'
import type { TableDesign } from '../../layout/design.js'

export type StepCode =
  | 'billing.on-demand'
  | 'billing.provisioned'
  | 'capacity'
  | 'index.create'
  | 'index.delete'
  | 'protection.enable'
  | 'recovery.enable'
  | 'stream.enable'
  | 'stream.disable'
  | 'ttl.enable'
  | 'ttl.disable'

/** One request that brings a live table nearer to its design. */
export type Step = StepDescription & { readonly code: StepCode } & (
    | { readonly operation: 'UpdateTable'; readonly input: UpdateTableInput }
    | { readonly operation: 'UpdateTimeToLive'; readonly input: UpdateTimeToLiveInput }
    | { readonly operation: 'UpdateContinuousBackups'; readonly input: UpdateContinuousBackupsInput }
  )

export interface StepDescription {
  /** What happens. */
  readonly message: string
  /** What it costs, in money, time or service. */
  readonly cost: string
  /** What must be so before the next step. */
  readonly wait: string
  /** Whether the layout works without it, so that it only saves. */
  readonly optional: boolean
}

export type ImpossibleChangeCode = 'key.schema' | 'key.type' | 'local.missing' | 'local.changed' | 'local.left'

/** What differs and cannot be changed on a live table. */
export interface ImpossibleChange {
  readonly code: ImpossibleChangeCode
  readonly message: string
  /** Whether the layout works all the same. */
  readonly optional: boolean
}

/** A live table beside the design that it should have. */
export interface DiffContext {
  readonly design: TableDesign
  readonly table: string
  readonly live: TableDescription
  readonly ttl: TimeToLiveDescription | undefined
  /** Whether the capacity is left to autoscaling, so that another than the designed one is as it should be. */
  readonly autoscaled: boolean
}

export function isProvisioned({ live }: DiffContext): boolean {
  // A table that has been provisioned from the first says nothing of its mode.
  return live.BillingModeSummary?.BillingMode !== 'PAY_PER_REQUEST'
}

export const TABLE_ACTIVE = 'the table is ACTIVE'
/** Where only the capacity of an index changes, the table is ACTIVE all the while. */
export const ALL_ACTIVE = 'the table and its indexes are ACTIVE'
