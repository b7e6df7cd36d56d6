import { explain } from '../plan/explain.js'
import type { Plan } from '../plan/plan.js'
import type { Sizes } from '../plan/price.js'
import type { Context } from './context.js'
import { Sending, storeError } from './sending.js'
import type { Call, Explanation, Report, RunOptions } from './types/call.js'
import { watch } from './unawaited.js'

/** What a call is to do, before it is done. */
export interface Intent<T> {
  /** `movie.get` */
  readonly name: string
  /** Of a call of one item, which can be a part of a transaction or a batch. */
  readonly part?: 'read' | 'write'
  plan(sizes?: Sizes): Plan
  /** As a part of several, where that is another. */
  planPart?: (() => Plan) | undefined
  run(sending: Sending, options: RunOptions): Promise<T>
}

/** A promise that runs when it is awaited, once. */
export class GraphCall<T> implements Call<T> {
  readonly [Symbol.toStringTag] = 'Call'
  private readonly use: () => void
  private report: Promise<Report<T>> | undefined

  constructor(
    protected readonly context: Context,
    private readonly intent: Intent<T>,
    private readonly defaults: RunOptions = {},
  ) {
    this.use = watch(this, intent.name)
  }

  get single(): true {
    return (this.intent.part !== undefined) as true
  }

  isOn(store: Context['store']): boolean {
    return this.context.store === store
  }

  /** What it is to do, for whoever does it together with others. */
  taken(): Intent<T> {
    this.use()
    return this.intent
  }

  plan(): Plan {
    return this.taken().plan()
  }

  explain(sizes?: Sizes): Explanation {
    return explain(this.taken().plan(sizes))
  }

  run(options: RunOptions = {}): Promise<Report<T>> {
    return this.begin(options, true)
  }

  // biome-ignore lint/suspicious/noThenProperty: a call is a promise, which runs when it is awaited
  then<A = T, B = never>(
    done?: ((value: T) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.begin({}, false)
      .then(({ value }) => value)
      .then(done, failed)
  }

  catch<B = never>(failed?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, failed)
  }

  finally(settled?: (() => void) | null): Promise<T> {
    return this.then().finally(settled)
  }

  private begin(options: RunOptions, counts: boolean): Promise<Report<T>> {
    this.report ??= this.perform({ ...this.defaults, ...options }, counts)
    return this.report
  }

  private async perform(options: RunOptions, counts: boolean): Promise<Report<T>> {
    const intent = this.taken()
    const traced = { kind: 'call', name: intent.name } as const
    const ended = this.context.listener?.(traced)
    const sending = new Sending(this.context, options, counts, traced)
    try {
      const value = await intent.run(sending, options)
      ended?.({ units: sending.tally.total })
      return { value, consumed: sending.tally.consumed(), requests: sending.requests }
    } catch (error) {
      const told = storeError(error)
      ended?.({ error: told })
      throw told
    }
  }
}
