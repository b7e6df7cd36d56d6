import { explain } from '../../plan/explain.js'
import type { Plan } from '../../plan/plan.js'
import { type PricedPlan, pricePlan } from '../../plan/price/plan-price.js'
import type { Sizes } from '../../plan/price/read-price.js'
import { NO_OPTIONS, parseOptions, RUN_OPTION_NAMES } from '../arguments.js'
import type { Context } from '../context.js'
import { RequestSender, toStoreError } from '../run/request-sender.js'
import type { Call, Explanation, Report, RunOptions } from '../types/call.js'
import { type CallUsage, type WatchedCall, warnIfNeverUsed } from './unused-call-warning.js'

/** A call before it runs. */
export interface CallIntent<T> {
  /** `movie.get` */
  readonly name: string
  /**
   * Where a single-item call may be combined: reads and writes in a transaction or a batch, a check only in a
   * transaction.
   */
  readonly partOf?: 'read' | 'write' | 'check' | undefined
  /** The names of the options that `run()` accepts, if not all. */
  readonly runOptionNames?: string
  /** Whether the call reads its consumed units while it runs. */
  readonly countsUnits?: boolean
  /** Plans the call. The plan within a transaction or a batch may differ, which `isPart` indicates. */
  plan(sizes?: Sizes, isPart?: boolean): Plan
  run(sending: RequestSender, options: RunOptions): Promise<T>
}

/** A promise that runs when it is first awaited. */
export class GraphCall<T> implements Call<T>, WatchedCall {
  /** Exists only in types. */
  declare readonly single: true
  readonly usage: CallUsage
  private sender: RequestSender | undefined
  /** The result of running the call on its own; undefined until the call runs. */
  outcome: Promise<T> | undefined

  constructor(
    readonly context: Context,
    private readonly intent: CallIntent<T>,
    private readonly defaults: RunOptions = NO_OPTIONS,
  ) {
    this.usage = { name: intent.name, isUsed: false }
    warnIfNeverUsed(this)
  }

  get [Symbol.toStringTag](): string {
    return 'Call'
  }

  /** A call that is printed instead of awaited describes itself. */
  toJSON(): string {
    return `${this.intent.name}(): await it`
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.toJSON()
  }

  /** Hands the call over to a transaction or a batch. */
  takeIntent(): CallIntent<T> {
    this.usage.isUsed = true
    return this.intent
  }

  plan(): PricedPlan {
    return pricePlan(this.context.layout, this.takeIntent().plan())
  }

  explain(options?: Sizes): Explanation {
    const sizes = parseOptions(this.intent.name, options, 'items, itemBytes, existing')
    return explain(pricePlan(this.context.layout, this.takeIntent().plan(sizes), sizes), sizes)
  }

  async run(options?: RunOptions): Promise<Report<T>> {
    const { intent, defaults } = this
    const parsed = parseOptions(intent.name, options, intent.runOptionNames ?? RUN_OPTION_NAMES)
    const value = await this.start({ ...defaults, ...parsed }, true)
    const { consumed, requests } = this.sender!
    return { value, consumed: consumed.toConsumed(), requests }
  }

  // biome-ignore lint/suspicious/noThenProperty: a call is a promise, which runs when it is awaited
  then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.start(this.defaults, false).then(onFulfilled, onRejected)
  }

  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onFinally)
  }

  private start(options: RunOptions, countsUnits: boolean): Promise<T> {
    this.outcome ??= this.perform(options, countsUnits)
    return this.outcome
  }

  private async perform(options: RunOptions, countsUnits: boolean): Promise<T> {
    const { context } = this
    const intent = this.takeIntent()
    const event = { kind: 'call', name: intent.name, table: context.layout.design.name } as const
    const scope = context.listener?.(event)
    try {
      const sender = new RequestSender(context, options, countsUnits || intent.countsUnits === true, event)
      this.sender = sender
      const value = await (scope ? scope.run(() => intent.run(sender, options)) : intent.run(sender, options))
      scope?.end({ units: sender.consumed.total })
      return value
    } catch (error) {
      const reported = error === options.signal?.reason ? error : toStoreError(error)
      scope?.end({ error: reported })
      throw reported
    }
  }
}
