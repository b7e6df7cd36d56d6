import { idSlots } from '../../layout/slots.js'
import { typeByName } from '../../plan/identity.js'
import { identityMembers } from '../../plan/members.js'
import type { Plan, RequestTemplate } from '../../plan/plan.js'
import { pricePlan } from '../../plan/price/plan-price.js'
import { canonicalText } from '../../plan/slot-values.js'
import { renumberSteps } from '../../plan/step.js'
import type { WriteOptions } from '../../plan/write/intent/row-change.js'
import type { Code } from '../../schema/codes.js'
import type { DeclaredNode } from '../../schema/declarations.js'
import { GraphError } from '../../schema/error.js'
import { failureKindOf } from '../../store/failure-kind.js'
import { OPERATION_TRAITS } from '../../store/operation-traits.js'
import { assertArgument, assertObject } from '../arguments.js'
import { type RequestSender, toStoreError } from '../run/request-sender.js'
import { MAX_LOOKUPS, runWrite, type WriteResult } from '../run/run-write.js'
import type { Upsert, Write } from '../types/call.js'
import { GraphWrite } from './write-call.js'

/** The part of a type's handle that upsert uses, for example `g.movie`. */
export interface UpsertHandle<Input, Id, Change, Row> {
  create(row: Input): Write<Row>
  update(id: Id, patch: Change): Write<Row>
}

/**
 * Updates an existing node or edge, or creates it: `g.bought.upsert({ user, book, times: 1 }, { times: add(1) })`. An
 * existing row takes one request, a new row two.
 */
export function upsert<Input, Id, Change, Row>(
  handle: UpsertHandle<Input, Id, Change, Row>,
  row: NoInfer<Input>,
  patch: NoInfer<Change>,
): Upsert<Row> {
  const createCall = takeWrite(handle?.create?.(row))
  assertObject(row)
  const { context, writeIntent } = createCall
  const type = typeByName(context.layout, writeIntent.type)
  const id =
    identityMembers(type).length === 1
      ? (row as Readonly<Record<string, unknown>>)[idSlots(type as DeclaredNode)[0]!]
      : row
  const updateIntent = takeWrite(handle.update(id as Id, patch)).writeIntent
  // Both plans are made before the first request, so that invalid input in either throws before anything is
  // sent.
  const plans = (options: WriteOptions) =>
    [updateIntent.plan(options), writeIntent.plan({ ...options, condition: undefined })] as const
  return new GraphWrite<Row>(context, {
    type: writeIntent.type,
    verb: 'upsert',
    identity: row,
    plan(options, isPart, sizes) {
      if (isPart)
        throw new GraphError(
          'call.part',
          'upsert(): the call may take two requests, so it cannot be part of a transaction or a batch; await it on its own.',
        )
      const [change, make] = plans(options)
      const { steps, answer } = change
      if (sizes?.existing && isMissing(() => pricePlan(context.layout, change, sizes)))
        return createPlanAfterUpdate(change, make)
      const notes = ['if the row does not exist, this request is refused and a second request creates it']
      return { steps: steps.map((step, at) => (at < steps.length - 1 ? step : { ...step, notes })), answer }
    },
    run(sender, options, { token }) {
      assertArgument(
        token === undefined,
        'upsert(): the call may take two requests, which a token cannot make idempotent; leave the token out.',
      )
      return updateOrCreate(sender, () => plans(options))
    },
  }) as unknown as Upsert<Row>
}

function isMissing(price: () => unknown): boolean {
  try {
    price()
    return false
  } catch (error) {
    if (error instanceof GraphError && error.code === 'write.absent') return true
    throw error
  }
}

/**
 * The update reads that the row is missing, or its condition fails; then the row is created. A failed write consumes
 * units that its response does not report.
 */
function createPlanAfterUpdate({ steps }: Plan, make: Plan): Plan {
  const notes = [
    'refused because the row does not exist; a refused write is billed, but the response does not report its units',
  ]
  const first = steps.length > 1 ? steps.slice(0, -1) : steps.map(step => ({ ...step, isRefused: true, notes }))
  return { ...make, steps: [...first, ...renumberSteps(make.steps, first.length)] }
}

/** Takes the write of a call that is part of another call. */
function takeWrite<Row>(call: Write<Row> | undefined): GraphWrite<Row> {
  assertArgument(
    call instanceof GraphWrite,
    'upsert(): the first argument is not a node or an edge of an opened graph; give one, for example g.movie.',
  )
  const write = call as unknown as GraphWrite<Row>
  write.takeIntent()
  return write
}

/**
 * Tries the update and then the create. One of them succeeds unless concurrent calls create or delete the row in
 * between.
 */
async function updateOrCreate(sender: RequestSender, plans: () => readonly [Plan, Plan]): Promise<WriteResult> {
  const singleSender = sendWritesOnce(sender)
  const refusals: GraphError[] = []
  const attempt = async (plan: Plan, code: Code) => {
    try {
      return await runWrite(singleSender, plan)
    } catch (error) {
      if (!(error instanceof GraphError) || error.code !== code) throw error
      refusals.push(error)
      return undefined
    }
  }
  for (;;) {
    const [change, make] = plans()
    const result = (await attempt(change, 'write.absent')) ?? (await attempt(make, 'write.exists'))
    if (result) return result
    const [absent, exists] = refusals.slice(-2) as [GraphError, GraphError]
    const isAnother = canonicalText(absent.details.value) !== canonicalText(exists.details.value)
    // The node has a different edge and may have at most one.
    if (isAnother) throw exists
    if (refusals.length > 2 * MAX_LOOKUPS)
      throw new GraphError(
        'write.contended',
        'upsert(): concurrent calls kept creating and deleting the row; retry later.',
      )
  }
}

/**
 * Disables resending. A write whose response was lost may have been applied and then reverted by others, so its
 * outcome is looked up instead.
 */
function sendWritesOnce(sender: RequestSender): RequestSender {
  let lost: unknown
  const send = async (template: RequestTemplate) => {
    const isWrite = OPERATION_TRAITS[template.operation].effect === 'write'
    if (lost && isWrite) throw toStoreError(lost)
    try {
      return await sender.send(template)
    } catch (error) {
      if (isWrite && failureKindOf(error) === 'unknown') lost = error
      throw error
    }
  }
  return Object.create(sender, { send: { value: send } })
}
