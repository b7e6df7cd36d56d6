import type { Random } from './random.js'

/** A participant that takes turns: a writer, a consumer or a repair. A crashed actor never continues. */
export class Actor {
  crashed = false
  /** the turn before which its requests are slow */
  slowUntil = 0
  private end: () => void = () => {}
  /** Resolves when the actor crashes. */
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
/** More turns than any run takes. */
export const MOST_TURNS = 60_000

interface Waiting {
  readonly actor: Actor
  readonly go: () => void
}

/**
 * Runs one request at a time in a random order. Requests of other actors may run between any two requests of one
 * actor. No request waits for real time.
 */
export class Schedule {
  private waiting: Waiting[] = []
  private favourite: Actor | undefined
  turns = 0

  /** how often an actor becomes slow */
  slowness = 0.03

  constructor(private readonly random: Random) {}

  /** Resolves at the actor's turn. Never resolves after a crash. */
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

  /** Lets a waiting actor continue and runs all consequences. Returns false if no actor waits. */
  async step(): Promise<boolean> {
    if (this.waiting.length === 0) return false
    this.turns++
    const { actor, go } = this.waiting.splice(this.chosen(), 1)[0]!
    // Now and then one actor runs far ahead of the others.
    if (this.random.chance(0.15)) this.favourite = this.random.chance(0.6) ? actor : undefined
    go()
    await quiet()
    return true
  }

  /** Most actors run evenly. Now and then one runs far ahead, or is slow while others do a lot. */
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

/** Runs turns until the promise settles, and calls `each` before every turn. */
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

/** Resolves when all runnable promises have settled: promises settle before immediates run. */
const quiet = () => new Promise<void>(resolve => setImmediate(resolve))
