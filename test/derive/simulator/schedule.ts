import type { Random } from './random.js'

/** Who takes turns: a writer, a consumer, a repair. What crashed is never heard of again. */
export class Actor {
  crashed = false
  /** the turn before which its requests are slow */
  slowUntil = 0
  private end: () => void = () => {}
  /** Resolves when it crashes. */
  readonly ended = new Promise<void>(resolve => {
    this.end = resolve
  })

  constructor(
    readonly name: string,
    readonly mayCrash = true,
  ) {}

  crash(): void {
    this.crashed = true
    this.end()
  }
}

const SLOW_TURNS = 80
/** More than anything takes. */
export const MOST_TURNS = 60_000

interface Waiting {
  readonly actor: Actor
  readonly go: () => void
}

/**
 * Lets one request happen at a time, in an order that chance decides: between any two requests of one actor those of
 * all others may come. Nothing waits by the clock of the machine.
 */
export class Schedule {
  private waiting: Waiting[] = []
  private favourite: Actor | undefined
  turns = 0

  /** how often somebody becomes slow */
  slowness = 0.03

  constructor(private readonly random: Random) {}

  /** Resolves when it is this actor's turn; never, where it has crashed. */
  turn(actor: Actor): Promise<void> {
    return new Promise(go => {
      if (!actor.crashed) this.waiting.push({ actor, go })
    })
  }

  crash(actor: Actor): void {
    actor.crash()
    this.waiting = this.waiting.filter(each => each.actor !== actor)
  }

  get actors(): Actor[] {
    return [...new Set(this.waiting.map(({ actor }) => actor))]
  }

  /** Lets one of those that wait go on, and everything that follows from it happen; false where nobody waits. */
  async step(): Promise<boolean> {
    if (this.waiting.length === 0) return false
    this.turns++
    const { actor, go } = this.waiting.splice(this.chosen(), 1)[0]!
    // Now and then one of them runs far ahead of the others.
    if (this.random.chance(0.15)) this.favourite = this.random.chance(0.6) ? actor : undefined
    go()
    await quiet()
    return true
  }

  /** Most run side by side; now and then one runs far ahead, or one is slow for as long as others do a lot. */
  private chosen(): number {
    if (this.random.chance(this.slowness))
      this.random.pick(this.waiting).actor.slowUntil = this.turns + this.random.below(SLOW_TURNS)
    const quick = this.waiting.flatMap(({ actor }, at) => (actor.slowUntil <= this.turns ? [at] : []))
    if (quick.length === 0) return this.random.below(this.waiting.length)
    if (this.favourite && this.random.chance(0.85)) {
      const at = quick.find(each => this.waiting[each]!.actor === this.favourite)
      if (at !== undefined) return at
    }
    return this.random.pick(quick)
  }
}

/** Lets turns be taken until something is done; `each` comes before every one. */
export async function until(schedule: Schedule, work: Promise<unknown>, each: () => void = () => {}): Promise<void> {
  let isDone = false
  const end = work.finally(() => {
    isDone = true
  })
  end.catch(() => {})
  while (!isDone) {
    each()
    if (!(await schedule.step())) await quiet()
    if (schedule.turns > MOST_TURNS) throw new Error('it does not come to an end')
  }
  await end
}

/** Until all that can go on has: promises are settled before anything immediate happens. */
const quiet = () => new Promise<void>(resolve => setImmediate(resolve))
