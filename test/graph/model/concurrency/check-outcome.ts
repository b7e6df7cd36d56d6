import { expect } from 'vitest'
import { keyOf, type Row, textOf } from '../reference/identity.js'
import type { Model, Write } from '../reference/model.js'
import type { Command } from '../runner/commands.js'
import { ordersOf } from '../runner/machine.js'
import { type Outcome, shown } from '../runner/outcome.js'
import { plainly } from './canonical-value.js'
import { inOrder, isExplained, isOf, type Moment, type Moments } from './state-history.js'

/** A running command. */
export interface Begun {
  readonly command: Command
  readonly by: string
  /** The moment at which the command began. */
  readonly from: number
  /** The writes that were applied. */
  readonly done: Set<Write>
  readonly lossRate: number
  /** Whether a token makes the command idempotent. */
  once: boolean
  /** The row whose etag the write requires, and the moment at which it was read. */
  locked?: { readonly row: Row; readonly from: number }
}

/**
 * Expects the outcome to be correct: the write was applied at some moment, or was refused for a reason that held
 * meanwhile.
 */
export function expectOutcome(moments: Moments, begun: Begun, write: Write, outcome: Outcome<unknown>): void {
  const told = `${begun.by} ${shown(write)}: ${outcome.code === undefined ? 'done' : String(outcome.error)}`
  const met = moments.from(begun.from)
  const isDone = begun.done.has(write)
  if (begun.lossRate > 0 && (isDone || outcome.code === 'store.unknown')) return
  const isJob = met[0]!.model.isJob(write)
  if (outcome.code !== undefined) {
    const { locked } = begun
    // The error does not say which of two conditions in one request failed.
    const isOther = moments.count - 1 > (locked?.from ?? 0) || isExplained(met, write, 'write.immutable')
    expect(
      ((locked && outcome.code === 'write.condition' && isOther) || isExplained(met, write, outcome.code)) && !isDone,
      told,
    ).toBe(true)
    return
  }
  const place = { type: met[0]!.model.type(write.type), row: write.row }
  const isGone = ({ model }: Moment) => !model.stored(write.type).some(row => isOf({ ...place, row }, place))
  const isNothing = ({ model }: Moment) =>
    model.refusals(write).length === 0 && moments.isNothing(model, model.after(write))
  if (isJob) expect(met.some(isGone), `${told}, and it never was gone`).toBe(true)
  else if (!isDone) expect(met.some(isNothing), `${told}, and nothing was written`).toBe(true)
  const { command } = begun
  if (command.does === 'write' && command.returning) expectReturned(met, begun, command, outcome.value)
}

/** Expects the returned row to be the row before or after the write at some moment. */
function expectReturned(
  met: readonly Moment[],
  { by, done }: Begun,
  { write, returning }: Extract<Command, { does: 'write' }>,
  value: unknown,
): void {
  const possible = met.slice(1).map(({ model }, i) => {
    const key = keyOf(model.type(write.type), write.row)
    return returning === 'old' ? met[i]!.model.replaced(write) : model.get(write.type, key)
  })
  if (!done.has(write)) possible.push(undefined)
  const own = (row: unknown) => ownText(met[0]!.model, write, row)
  const isOne = possible.some(each => own(each) === own(value))
  expect(isOne, `${by} returns ${shown(value)} of ${shown(write)}, and not one of ${shown(possible)}`).toBe(true)
}

/** The text of a row without aggregates, which may be older because no etag covers them. */
export function ownText(model: Model, { type }: Write, row: unknown): string {
  const { attributes } = model.type(type)
  const own = Object.entries(row ?? {}).filter(([name]) => !attributes[name]?.derived)
  return textOf(row && plainly(Object.fromEntries(own)))
}

/** Expects a transaction to be applied completely at one moment, or not at all. */
export function expectTogether(
  moments: Moments,
  begun: Begun,
  writes: readonly Write[],
  outcome: Outcome<unknown>,
): void {
  const told = `${begun.by} ${shown(writes)}: ${outcome.code === undefined ? 'done' : String(outcome.error)}`
  if (begun.lossRate > 0 && outcome.code === 'store.unknown') return
  const met = moments.from(begun.from)
  const isDone = begun.done.size > 0
  if (outcome.code === undefined) {
    const isNothing = ({ model }: Moment) => {
      const { model: after, reasons } = inOrder(model, writes)
      return reasons.length === 0 && moments.isNothing(model, after)
    }
    expect(isDone || met.some(isNothing), `${told}, and nothing was written`).toBe(true)
    return
  }
  const { code } = outcome
  const isRefused = ({ model, seen }: Moment) =>
    [model, seen].some(each => ordersOf(writes).some(order => inOrder(each, order).reasons.includes(code)))
  const isOfAll = /^(write.transaction|node.cascade)$/.test(code)
  const isIt = isOfAll || writes.some(write => isExplained(met, write, code)) || met.some(isRefused)
  expect(isIt && !isDone, told).toBe(true)
}

/** Expects the error of a batch to name exactly the writes that were not applied. */
export function expectBatch(moments: Moments, begun: Begun, writes: readonly Write[], outcome: Outcome<unknown>): void {
  type Failed = readonly {
    readonly call: number
    readonly error: Extract<Outcome<unknown>, { code: string }>['error']
  }[]
  let failed: Failed = []
  if (outcome.code !== undefined) {
    expect(outcome.code, String(outcome.error)).toBe('batch.failed')
    failed = (outcome.error.details as unknown as { failed: Failed }).failed
  }
  for (const [call, write] of writes.entries()) {
    const error = failed.find(each => each.call === call)?.error
    expectOutcome(moments, begun, write, error ? { code: error.code, error } : { value: undefined })
  }
}
