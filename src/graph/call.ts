import { explain } from '../plan/explain.js'
import type { Plan } from '../plan/plan.js'
import type { Sizes } from '../plan/price.js'
import { pricedWrite } from '../plan/write-explained.js'
import type { Context } from './context.js'
import { NONE, optionsOf, RUN_OPTIONS } from './given.js'
import { Sending, storeError } from './sending.js'
import type { Call, Explanation, Report, RunOptions } from './types/call.js'
import { type Fate, type Watched, watch } from './unawaited.js'

/** What a call is to do, before it is done. */
export interface Intent<T> {
  /** `movie.get` */
  readonly name: string
  /** Of a call of one item, which can be a part of a transaction or a batch; a check, of a transaction alone. */
  readonly part?: 'read' | 'write' | 'check' | undefined
  /** The names of what run() takes, where that is not all. */
  readonly takes?: string
  /** Whether it needs to know the units that it consumes while it runs. */
  readonly counts?: boolean
  /** As a part of several it may be another. */
  plan(sizes?: Sizes, isPart?: boolean): Plan
  run(sending: Sending, options: RunOptions): Promise<T>
}

/** A promise that runs when it is awaited, once. */
export class GraphCall<T> implements Call<T>, Watched {
  /** Told by types alone. */
  declare readonly single: true
  readonly fate: Fate
  private sending: Sending | undefined
  /** Undefined as long as it was not begun by itself. */
  outcome: Promise<T> | undefined

  constructor(
    readonly context: Context,
    private readonly intent: Intent<T>,
    private readonly defaults: RunOptions = NONE,
  ) {
    this.fate = { name: intent.name, isUsed: false }
    watch(this)
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
  taken(): Intent<T> {
    this.fate.isUsed = true
    return this.intent
  }

  plan(): Plan {
    return this.taken().plan()
  }

  explain(given?: Sizes): Explanation {
    const sizes = optionsOf(this.intent.name, given, 'items, itemBytes, there')
    return explain(pricedWrite(this.context.layout, this.taken().plan(sizes), sizes), sizes)
  }

  async run(options?: RunOptions): Promise<Report<T>> {
    const { intent, defaults } = this
    const given = optionsOf(intent.name, options, intent.takes ?? RUN_OPTIONS)
    const value = await this.begin({ ...defaults, ...given }, true)
    const { tally, requests } = this.sending!
    return { value, consumed: tally.consumed(), requests }
  }

  // biome-ignore lint/suspicious/noThenProperty: a call is a promise, which runs when it is awaited
  then<A = T, B = never>(
    done?: ((value: T) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.begin(this.defaults, false).then(done, failed)
  }

  catch<B = never>(failed?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, failed)
  }

  finally(settled?: (() => void) | null): Promise<T> {
    return this.then().finally(settled)
  }

  private begin(options: RunOptions, counts: boolean): Promise<T> {
    this.outcome ??= this.perform(options, counts)
    return this.outcome
  }

  private async perform(options: RunOptions, counts: boolean): Promise<T> {
    const { context } = this
    const intent = this.taken()
    const traced = { kind: 'call', name: intent.name, table: context.layout.design.name } as const
    const scope = context.listener?.(traced)
    try {
      const sending = new Sending(context, options, counts || intent.counts === true, traced)
      this.sending = sending
      const value = await (scope ? scope.run(() => intent.run(sending, options)) : intent.run(sending, options))
      scope?.end({ units: sending.tally.total })
      return value
    } catch (error) {
      const told = error === options.signal?.reason ? error : storeError(error)
      scope?.end({ error: told })
      throw told
    }
  }
}
