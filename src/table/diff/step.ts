import type {
  TableDescription,
  TimeToLiveDescription,
  UpdateContinuousBackupsInput,
  UpdateTableInput,
  UpdateTimeToLiveInput,
} from '../../dynamodb/operation-types.js'
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

/** One request towards the design. */
export type Step = StepDescription & { readonly code: StepCode } & (
    | { readonly operation: 'UpdateTable'; readonly input: UpdateTableInput }
    | { readonly operation: 'UpdateTimeToLive'; readonly input: UpdateTimeToLiveInput }
    | { readonly operation: 'UpdateContinuousBackups'; readonly input: UpdateContinuousBackupsInput }
  )

export interface StepDescription {
  /** The change, as a sentence. */
  readonly message: string
  /** Its cost in money, time or availability. */
  readonly cost: string
  /** The condition to wait for before the next step. */
  readonly wait: string
  /** Whether the layout also works without it, so that it only saves cost. */
  readonly optional: boolean
}

export type ImpossibleChangeCode = 'key.schema' | 'key.type' | 'local.missing' | 'local.changed' | 'local.left'

/** A difference that cannot be changed on a live table. */
export interface ImpossibleChange {
  readonly code: ImpossibleChangeCode
  readonly message: string
  /** Whether the layout works in spite of it. */
  readonly optional: boolean
}

/** A live table and its design. */
export interface DiffContext {
  readonly design: TableDesign
  readonly table: string
  readonly live: TableDescription
  readonly ttl: TimeToLiveDescription | undefined
  /** Whether autoscaling manages the capacity, so that deviations from the design are expected. */
  readonly autoscaled: boolean
}

export function isProvisioned({ live }: DiffContext): boolean {
  // A table that has always been provisioned has no billing mode in its description.
  return live.BillingModeSummary?.BillingMode !== 'PAY_PER_REQUEST'
}

export const TABLE_ACTIVE = 'the table is ACTIVE'
/** The table stays ACTIVE while only the capacity of an index changes, so the indexes are checked too. */
export const ALL_ACTIVE = 'the table and its indexes are ACTIVE'
