import { rowBoundAttributes } from '../../layout/items/row-bindings.js'
import { type DeclaredType, identitySlotsOf, normalizeEnds } from '../../layout/slots.js'
import { joinConditions } from '../../plan/expression.js'
import { encodeIdentity, ownKindByName, tenantValues } from '../../plan/identity.js'
import type { ItemShape, Plan, SlotValues, WriteCondition } from '../../plan/plan.js'
import type { Sizes } from '../../plan/price/read-price.js'
import { planGet } from '../../plan/read/item.js'
import { rowOf } from '../../plan/row.js'
import type { WriteOptions } from '../../plan/write/intent/row-change.js'
import { planTransaction } from '../../plan/write/multi-write.js'
import { isObject } from '../../schema/checks/assertions.js'
import type { DeclaredEdge } from '../../schema/declarations.js'
import { GraphError } from '../../schema/error.js'
import { assertArgument, assertChoice, assertNumber, isNonEmptyText } from '../arguments.js'
import type { Context } from '../context.js'
import type { RequestSender } from '../run/request-sender.js'
import { runWrite, type WriteResult } from '../run/run-write.js'
import type { Call, RunOptions, Write } from '../types/call.js'
import type { Condition } from '../types/condition.js'
import { type CallIntent, GraphCall } from './call.js'
import { compileCondition } from './condition.js'
import { attachEtag } from './row-etag.js'

type AddedOptions = Partial<WriteOptions>

/** How a write with its options is planned. */
export interface WriteIntent {
  readonly type: string
  readonly verb: string
  /** Plans the write. The plan within a transaction or a batch may differ, which `isPart` indicates. */
  plan(options: WriteOptions, isPart?: boolean, sizes?: Sizes): Plan
  /** The identity as given by the caller. An undirected edge is returned with its ends in this order. */
  readonly identity: unknown
  /** Replaces running the plan when the write needs more requests than the plan has. */
  readonly run?:
    | ((sending: RequestSender, options: WriteOptions, run: RunOptions) => Promise<WriteResult | undefined>)
    | undefined
}

/** A write of one node or edge, optionally with conditions. */
export class GraphWrite<Row> extends GraphCall<void> implements Write<Row> {
  constructor(
    context: Context,
    readonly writeIntent: WriteIntent,
    private readonly added: AddedOptions = {},
  ) {
    super(context, callIntentOf(context, writeIntent, added) as CallIntent<void>)
  }

  if(condition: Condition<Row>): this {
    const { type, identity } = this.writeIntent
    // Each condition has its own placeholders, so that several conditions can be joined.
    const prefix = `c${Object.keys(this.added.condition?.names ?? {}).length}_`
    const { type: declared } = ownKindByName(this.context.layout, type)
    return this.with({
      condition: compileRowCondition(this.context, declared, identity, condition as Condition<never>, prefix),
    })
  }

  ifEtag(etag: string): this {
    const { names } = this.context.layout
    assertArgument(isNonEmptyText(etag), 'ifEtag(): the argument is not an etag; give the result of etagOf().')
    const value = `:ce${Object.keys(this.added.condition?.values ?? {}).length}`
    return this.with({
      condition: { expression: `#ce = ${value}`, names: { '#ce': names.etag }, values: { [value]: { S: etag } } },
    })
  }

  checkingEnds(): this {
    return this.with({ ends: 'check' })
  }

  returning(which: 'old' | 'new'): Call<never> {
    assertChoice(which, 'returning()', 'old', 'new')
    this.takeIntent()
    const intent = callIntentOf(this.context, this.writeIntent, { ...this.added, returns: which })
    return new GraphCall(this.context, intent) as unknown as Call<never>
  }

  private with(more: AddedOptions): this {
    this.takeIntent()
    const before = this.added.condition
    const { condition } = more
    const joined = before &&
      condition && {
        condition: {
          expression: joinConditions([before.expression, condition.expression])!,
          names: { ...before.names, ...condition.names },
          values: { ...before.values, ...condition.values },
        },
      }
    return new GraphWrite<Row>(this.context, this.writeIntent, { ...this.added, ...more, ...joined }) as this
  }
}

/** Compiles a condition on a known row. Conditions on encrypted values depend on the row. */
export function compileRowCondition(
  context: Context,
  type: DeclaredType,
  identity: unknown,
  condition: Condition<never>,
  prefix = 'c',
): WriteCondition {
  const { layout } = context
  const slots = rowBoundAttributes(type).length > 0 ? identitySlots(context, type, identity) : undefined
  return compileCondition(layout, ownKindByName(layout, type.name), condition, prefix, slots)
}

/** Encodes the identity of a row from an id or a whole row. */
function identitySlots({ tenant }: Context, type: DeclaredType, identity: unknown): SlotValues {
  const [slot, more] = identitySlotsOf(type)
  const isRow = more === undefined && isObject(identity) && Object.hasOwn(identity, slot!)
  const id = isRow ? identity[slot!] : identity
  return { ...normalizeEnds(type, encodeIdentity(type, id)), ...tenantValues(tenant) }
}

/** The row that a write returns, if any. */
function returnedRow(
  { layout, tenant }: Context,
  { type, identity }: WriteIntent,
  returns: 'old' | 'new',
  written: WriteResult,
) {
  const item = written[returns]
  if (written.isOldRowLost && returns === 'old')
    throw new GraphError(
      'store.unknown',
      'response: the row was written, but the response with the previous row was lost; read the row if you need it.',
    )
  if (!item) return undefined
  const kind = ownKindByName(layout, type)
  const { undirected } = kind.type as DeclaredEdge
  const endsSwapped = undirected && (planGet(layout, type, identity, { tenant }).answer as ItemShape).endsSwapped
  return attachEtag(rowOf(layout, kind, item, endsSwapped), item[layout.names.etag]?.S)
}

function callIntentOf(context: Context, writing: WriteIntent, more: AddedOptions): CallIntent<unknown> {
  const { environment, tenant } = context
  const options: WriteOptions = { environment, tenant, ...more }
  const plan = (sizes?: Sizes, isPart?: boolean) => writing.plan(options, isPart, sizes)
  return {
    name: `${writing.type}.${writing.verb}`,
    partOf: more.returns ? undefined : 'write',
    plan,
    run: async (sender, runOptions) => {
      const result =
        (await writing.run?.(sender, options, runOptions)) ??
        (await runWrite(sender, planWithReceipt(context, plan(), runOptions)))
      return more.returns && returnedRow(context, writing, more.returns, result)
    },
  }
}

/** Adds the receipt of a token to the plan of a write. */
export function planWithReceipt(context: Context, plan: Plan, options: RunOptions): Plan {
  if (options.token === undefined) return plan
  return planTransaction(context.layout, [plan], receiptOptionsOf(context, options))
}

/** The receipt options of a call that make its transaction idempotent; undefined without a token. */
export function receiptOptionsOf({ tenant }: Context, { token, tokenTtlSeconds }: RunOptions) {
  if (token === undefined) return undefined
  assertArgument(isNonEmptyText(token), 'token: the value is not a non-empty text; give one.')
  assertNumber(tokenTtlSeconds, 'tokenTtlSeconds', 1)
  return { token, tenant, tokenTtlSeconds }
}
