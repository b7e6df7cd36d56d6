import { rowBoundNames } from '../layout/row-bindings.js'
import { type DeclaredType, endsInOrder, identityOf } from '../layout/slots.js'
import { allOf } from '../plan/expression.js'
import { identityValues, kindOf, tenantValues } from '../plan/identity.js'
import type { ItemShape, Plan, Slots, WriteCondition } from '../plan/plan.js'
import type { Sizes } from '../plan/price.js'
import { planGet } from '../plan/read-item.js'
import { rowOf } from '../plan/row.js'
import type { WriteOptions } from '../plan/write-given.js'
import { planTransaction } from '../plan/write-several.js'
import type { DeclaredEdge } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
import { isObject } from '../schema/refusal.js'
import { GraphCall, type Intent } from './call.js'
import { written } from './condition.js'
import type { Context } from './context.js'
import { remember } from './etags.js'
import { given, givenNumber, isText } from './given.js'
import type { Sending } from './sending.js'
import type { Call, RunOptions, Write } from './types/call.js'
import type { Condition } from './types/condition.js'
import { type Written, write } from './writing.js'

type More = Partial<WriteOptions>

/** How a write is planned, with whatever was added to it. */
export interface Writing {
  readonly type: string
  readonly verb: string
  /** As a part of several it may be another. */
  plan(options: WriteOptions, isPart?: boolean, sizes?: Sizes): Plan
  /** What is written, as it was asked for: an undirected edge is answered with its ends the same way. */
  readonly identity: unknown
  /** In place of running the plan, where it takes more than that. */
  readonly run?:
    | ((sending: Sending, options: WriteOptions, run: RunOptions) => Promise<Written | undefined>)
    | undefined
}

/** A write of one node or edge, which can be held to conditions. */
export class GraphWrite<Row> extends GraphCall<void> implements Write<Row> {
  constructor(
    context: Context,
    readonly writing: Writing,
    private readonly more: More = {},
  ) {
    super(context, intentOf(context, writing, more) as Intent<void>)
  }

  if(condition: Condition<Row>): this {
    const { type, identity } = this.writing
    // Each condition has placeholders of its own, so that several can be joined.
    const prefix = `c${Object.keys(this.more.condition?.names ?? {}).length}_`
    const { type: declared } = kindOf(this.context.layout, type)
    return this.with({
      condition: conditionOn(this.context, declared, identity, condition as Condition<never>, prefix),
    })
  }

  ifEtag(etag: string): this {
    const { names } = this.context.layout
    given(isText(etag), 'ifEtag() takes what etagOf() tells')
    const value = `:ce${Object.keys(this.more.condition?.values ?? {}).length}`
    return this.with({
      condition: { expression: `#ce = ${value}`, names: { '#ce': names.etag }, values: { [value]: { S: etag } } },
    })
  }

  checkingEnds(): this {
    return this.with({ ends: 'check' })
  }

  returning(which: 'old' | 'new'): Call<never> {
    given(which === 'old' || which === 'new', `a write returns 'old' or 'new'`)
    this.taken()
    const intent = intentOf(this.context, this.writing, { ...this.more, returns: which })
    return new GraphCall(this.context, intent) as unknown as Call<never>
  }

  private with(more: More): this {
    this.taken()
    const before = this.more.condition
    const { condition } = more
    const both = before &&
      condition && {
        condition: {
          expression: allOf([before.expression, condition.expression])!,
          names: { ...before.names, ...condition.names },
          values: { ...before.values, ...condition.values },
        },
      }
    return new GraphWrite<Row>(this.context, this.writing, { ...this.more, ...more, ...both }) as this
  }
}

/** A condition on a row that is known: that of an encrypted value depends on it. */
export function conditionOn(
  context: Context,
  type: DeclaredType,
  identity: unknown,
  condition: Condition<never>,
  prefix = 'c',
): WriteCondition {
  const { layout } = context
  const slots = rowBoundNames(type)[0] ? identitySlots(context, type, identity) : undefined
  return written(layout, kindOf(layout, type.name), condition, prefix, slots)
}

/** The stored values that identify a row. A whole row is given where a write needs more than an id. */
function identitySlots({ tenant }: Context, type: DeclaredType, identity: unknown): Slots {
  const [slot, more] = identityOf(type)
  const isRow = more === undefined && isObject(identity) && Object.hasOwn(identity, slot!)
  const id = isRow ? identity[slot!] : identity
  return { ...endsInOrder(type, identityValues(type, id)), ...tenantValues(tenant) }
}

/** The row that a write is to return, if any. */
function returned({ layout, tenant }: Context, { type, identity }: Writing, { returns }: More, written: Written) {
  const item = returns && written[returns]
  if (written.lost && returns === 'old')
    throw new GraphError('store.unknown', 'it was written, but the row as it was is lost')
  if (!item) return undefined
  const kind = kindOf(layout, type)
  const { undirected } = kind.type as DeclaredEdge
  const turned = undirected && (planGet(layout, type, identity, { tenant }).answer as ItemShape).turned
  return remember(rowOf(layout, kind, item, turned), item[layout.names.etag]?.S)
}

function intentOf(context: Context, writing: Writing, more: More): Intent<unknown> {
  const { surroundings, tenant } = context
  const options: WriteOptions = { surroundings, tenant, ...more }
  const plan = (sizes?: Sizes, isPart?: boolean) => writing.plan(options, isPart, sizes)
  return {
    name: `${writing.type}.${writing.verb}`,
    part: more.returns ? undefined : 'write',
    plan,
    run: async (sending, runOptions) => {
      let done = await writing.run?.(sending, options, runOptions)
      if (!done) {
        done = await write(sending, receiptPlan(context, plan(), runOptions))
      }
      return returned(context, writing, more, done)
    },
  }
}

/** The plan of a write, with the receipt that a token asks for. */
export function receiptPlan(context: Context, plan: Plan, options: RunOptions): Plan {
  const once = receipt(context, options)
  return once ? planTransaction(context.layout, [plan], once) : plan
}

/** What makes a transaction happen once, for as long as its receipt is kept; undefined where no token says so. */
export function receipt({ tenant }: Context, { token, keepSeconds }: RunOptions) {
  if (token === undefined) return undefined
  given(isText(token), 'a token is a text that is not empty')
  givenNumber(keepSeconds, 'keepSeconds', 1)
  return { token, tenant, keepSeconds }
}
