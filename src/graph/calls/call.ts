import { explain } from '../../plan/explain.js'
import type { Plan } from '../../plan/plan.js'
import { priceWrite } from '../../plan/price/explained-write.js'
import type { Sizes } from '../../plan/price/read-price.js'
import { NO_OPTIONS, parseOptions, RUN_OPTION_NAMES } from '../arguments.js'
import type { Context } from '../context.js'
import { RequestSender, toStoreError } from '../run/request-sender.js'
import type { Call, Explanation, Report, RunOptions } from '../types/call.js'
import { type CallUsage, type WatchedCall, warnIfNeverUsed } from './unused-call-warning.js'

/** What a call is to do, before it is done. */
export interface CallIntent<T> {
  /** `movie.get` */
  readonly name: string
  /** Of a call of one item, which can be a part of a transaction or a batch; a check, of a transaction alone. */
  readonly partOf?: 'read' | 'write' | 'check' | undefined
  /** The names of what run() takes, where that is not all. */
  readonly runOptionNames?: string
  /** Whether it needs to know the units that it consumes while it runs. */
  readonly countsUnits?: boolean
  /** As a part of several it may be another. */
  plan(sizes?: Sizes, isPart?: boolean): Plan
  run(sending: RequestSender, options: RunOptions): Promise<T>
}

/** A promise that runs when it is awaited, once. */
export class GraphCall<T> implements Call<T>, WatchedCall {
  /** Told by types alone. */
  declare readonly single: true
  readonly usage: CallUsage
  private sender: RequestSender | undefined
  /** Undefined as long as it was not begun by itself. */
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

  /** Printed instead of being awaited, it says what it is. */
  toJSON(): string {
    return `${this.intent.name}(): await it`
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.toJSON()
  }

  /** What it is to do, for whoever does it together with others. */
  takeIntent(): CallIntent<T> {
    this.usage.isUsed = true
    return this.intent
  }

  plan(): Plan {
    return this.takeIntent().plan()
  }

  explain(options?: Sizes): Explanation {
    const sizes = parseOptions(this.intent.name, options, 'items, itemBytes, existing')
    return explain(priceWrite(this.context.layout, this.takeIntent().plan(sizes), sizes), sizes)
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
