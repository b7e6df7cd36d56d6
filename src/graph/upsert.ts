import { idSlots } from '../layout/slots.js'
import { canonical } from '../plan/change-values.js'
import { typeOf } from '../plan/identity.js'
import { identityMembers } from '../plan/members.js'
import type { Draft, Plan } from '../plan/plan.js'
import { shifted } from '../plan/step.js'
import { pricedWrite } from '../plan/write-explained.js'
import type { WriteOptions } from '../plan/write-given.js'
import type { Code } from '../schema/codes.js'
import type { DeclaredNode } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
import { failureOf } from '../store/failures.js'
import { OPERATIONS } from '../store/operations.js'
import { given, objectOf } from './given.js'
import { type Sending, storeError } from './sending.js'
import type { Upsert, Write } from './types/call.js'
import { GraphWrite } from './writes.js'
import { SETTLINGS, type Written, write } from './writing.js'

/** What makes and changes the rows of a type: `g.movie`. */
export interface Upserting<Given, Id, Change, Row> {
  create(row: Given): Write<Row>
  update(id: Id, patch: Change): Write<Row>
}

/**
 * Changes a node or an edge where it is there, and makes it where it is not: `g.bought.upsert({ user, book, times: 1 },
 * { times: add(1) })`. What is there takes one request, and what is not a second.
 */
export function upsert<Given, Id, Change, Row>(
  handle: Upserting<Given, Id, Change, Row>,
  row: NoInfer<Given>,
  patch: NoInfer<Change>,
): Upsert<Row> {
  const making = usedUp(handle?.create?.(row))
  objectOf(row)
  const { context, writing } = making
  const type = typeOf(context.layout, writing.type)
  const id =
    identityMembers(type).length === 1
      ? (row as Readonly<Record<string, unknown>>)[idSlots(type as DeclaredNode)[0]!]
      : row
  const changing = usedUp(handle.update(id as Id, patch)).writing
  // Both, so that what is wrong with either is told before anything is sent.
  const plans = (options: WriteOptions) =>
    [changing.plan(options), writing.plan({ ...options, condition: undefined })] as const
  return new GraphWrite<Row>(context, {
    type: writing.type,
    verb: 'upsert',
    identity: row,
    plan(options, isPart, sizes) {
      if (isPart)
        throw new GraphError('call.part', 'an upsert may take two requests, and is no part of several: await it')
      const [change, make] = plans(options)
      const { steps, answer } = change
      if (sizes?.there && isAbsent(() => pricedWrite(context.layout, change, sizes)))
        return madePlan(change, pricedWrite(context.layout, make, sizes))
      const notes = ['where it is not there, this is refused, and a second request makes it']
      return { steps: steps.map((step, at) => (at < steps.length - 1 ? step : { ...step, notes })), answer }
    },
    run(sending, options, { token }) {
      given(token === undefined, 'an upsert takes no token: it is for what is done by one request')
      return changedOrMade(sending, () => plans(options))
    },
  }) as unknown as Upsert<Row>
}

function isAbsent(priced: () => Plan): boolean {
  try {
    priced()
    return false
  } catch (error) {
    if (error instanceof GraphError && error.code === 'write.absent') return true
    throw error
  }
}

/** The change finds nothing, by what it reads, or is refused, which costs a write that no answer tells; then it is made. */
function madePlan({ steps }: Plan, make: Plan): Plan {
  const price = { requests: 1, read: {}, write: {}, consistency: undefined }
  const notes = ['refused, since it is not there: that costs a write too, which no answer tells']
  const first = steps.length > 1 ? steps.slice(0, -1) : steps.map(step => ({ ...step, price, notes }))
  return { ...make, steps: [...first, ...shifted(make.steps, first.length)] }
}

/** A write that is done as a part of another. */
function usedUp<Row>(call: Write<Row> | undefined): GraphWrite<Row> {
  given(call instanceof GraphWrite, 'upsert() takes a node or an edge of a graph that was opened, as g.movie')
  const write = call as unknown as GraphWrite<Row>
  write.taken()
  return write
}

/** One of the two finds what it needs, unless others make it or delete it in between. */
async function changedOrMade(sending: Sending, plans: () => readonly [Plan, Plan]): Promise<Written> {
  const once = sentOnce(sending)
  const refused: GraphError[] = []
  const tried = async (plan: Plan, code: Code) => {
    try {
      return await write(once, plan)
    } catch (error) {
      if (!(error instanceof GraphError) || error.code !== code) throw error
      refused.push(error)
      return undefined
    }
  }
  for (;;) {
    const [change, make] = plans()
    const done = (await tried(change, 'write.absent')) ?? (await tried(make, 'write.exists'))
    if (done) return done
    const [absent, exists] = refused.slice(-2) as [GraphError, GraphError]
    const isAnother = canonical(absent.details.value) !== canonical(exists.details.value)
    // The one edge that a node may have is another.
    if (isAnother) throw exists
    if (refused.length > 2 * SETTLINGS)
      throw new GraphError('write.contended', 'others made it and deleted it each time: try again later')
  }
}

/** A write whose answer was lost may have been done, and undone by others: it is looked for, but not sent again. */
function sentOnce(sending: Sending): Sending {
  let lost: unknown
  const send = async (draft: Draft) => {
    const isWrite = OPERATIONS[draft.operation].effect === 'write'
    if (lost && isWrite) throw storeError(lost)
    try {
      return await sending.send(draft)
    } catch (error) {
      if (isWrite && failureOf(error) === 'unknown') lost = error
      throw error
    }
  }
  return Object.create(sending, { send: { value: send } })
}
