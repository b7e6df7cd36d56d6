import { TENANT_SLOT } from '../../layout/slots.js'
import type { Plan, SlotValues } from '../../plan/plan.js'
import { canonicalText } from '../../plan/slot-values.js'
import type { WriteOptions } from '../../plan/write/intent/row-change.js'
import { planCreate } from '../../plan/write/operations.js'
import { GraphError } from '../../schema/error.js'
import { mapValues } from '../../schema/map-values.js'
import { assertObject } from '../arguments.js'
import type { Context } from '../context.js'
import type { RequestSender } from '../run/request-sender.js'
import { runWrite } from '../run/run-write.js'
import type { RunOptions } from '../types/call.js'
import { GraphCall } from './call.js'
import { planWithReceipt } from './write-call.js'

type RowInput = Readonly<Record<string, unknown>>

/**
 * Creates a row unless it exists, and resolves to whether it wrote. After a lost response, the etag shows whether the
 * stored row is the one from this call.
 */
export function putIfAbsent(context: Context, type: string, row: RowInput): GraphCall<boolean> {
  const { layout, environment, tenant } = context
  const options: WriteOptions = { environment, tenant }
  const plan = () => planCreate(layout, type, assertObject(row), options)
  return new GraphCall<boolean>(context, {
    name: `${type}.putIfAbsent`,
    plan,
    run: (sender, runOptions) => writeUnlessExisting(sender, plan(), runOptions),
  })
}

async function writeUnlessExisting(sender: RequestSender, plan: Plan, options: RunOptions): Promise<boolean> {
  const { identity } = plan.steps.at(-1)!.changes![0]!
  try {
    await runWrite(sender, planWithReceipt(sender.context, plan, options))
    return true
  } catch (error) {
    // A node with at most one edge may have a different edge. The new edge is not written then, so the caller
    // gets an error.
    if (isSameRowExisting(error, sender.context, identity)) return false
    throw error
  }
}

function isSameRowExisting(error: unknown, { layout }: Context, identity: SlotValues): boolean {
  if (!(error instanceof GraphError) || error.code !== 'write.exists') return false
  const { [layout.design.tenant ? TENANT_SLOT : '']: _, ...own } = identity
  const requested = mapValues(own, stored => Object.values(stored)[0])
  return canonicalText(requested) === canonicalText(error.details.value)
}
