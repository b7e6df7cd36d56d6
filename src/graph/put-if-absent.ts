import { TENANT_SLOT } from '../layout/slots.js'
import { canonical } from '../plan/change-values.js'
import type { Plan, Slots } from '../plan/plan.js'
import { planCreate } from '../plan/write.js'
import type { WriteOptions } from '../plan/write-given.js'
import { GraphError } from '../schema/error.js'
import { mapValues } from '../schema/map-values.js'
import { GraphCall } from './call.js'
import type { Context } from './context.js'
import { objectOf } from './given.js'
import type { Sending } from './sending.js'
import type { RunOptions } from './types/call.js'
import { receiptPlan } from './writes.js'
import { write } from './writing.js'

type Row = Readonly<Record<string, unknown>>

/**
 * A create that leaves an existing row as it is and resolves to whether it wrote. A lost response is settled as that of
 * a create: by the etag, so that the call finds its own row and says that it wrote it.
 */
export function putIfAbsent(context: Context, type: string, row: Row): GraphCall<boolean> {
  const { layout, surroundings, tenant } = context
  const options: WriteOptions = { surroundings, tenant }
  const plan = () => planCreate(layout, type, objectOf(row), options)
  return new GraphCall<boolean>(context, {
    name: `${type}.putIfAbsent`,
    plan,
    run: (sending, runOptions) => isWritten(sending, plan(), runOptions),
  })
}

async function isWritten(sending: Sending, plan: Plan, options: RunOptions): Promise<boolean> {
  const { identity } = plan.steps.at(-1)!.changes![0]!
  try {
    await write(sending, receiptPlan(sending.context, plan, options))
    return true
  } catch (error) {
    // The one edge that a node may have can be another, which is no reason to leave this one unwritten silently.
    if (isExisting(error, sending.context, identity)) return false
    throw error
  }
}

function isExisting(error: unknown, { layout }: Context, identity: Slots): boolean {
  if (!(error instanceof GraphError) || error.code !== 'write.exists') return false
  const { [layout.design.tenant ? TENANT_SLOT : '']: _, ...own } = identity
  const asked = mapValues(own, stored => Object.values(stored)[0])
  return canonical(asked) === canonical(error.details.value)
}
