import { optionsOf, given as refuse, workOptions } from '../graph/given.js'
import { storeError } from '../graph/sending.js'
import { told } from '../graph/told.js'
import { type Layout, layoutOf } from '../layout/layout.js'
import type { AnyType, Graph } from '../schema/graph.js'
import type { Store } from '../store/port.js'
import { retrying } from '../store/retrying.js'
import { consumersName } from '../table/consumers.js'
import { consumer } from './consumer.js'
import { type DeadLetter, type DeadLetterPlace, readDeadLetters, removeDeadLetter } from './dead-letters.js'
import { type FollowOptions, GROUP } from './follow/settings.js'
import { type Consumer, isConsumer } from './port.js'

/** Where dead letters lie: as it was told to `follow`. */
export interface DeadLetterOptions {
  readonly table?: string | undefined
  readonly consumers?: string | undefined
  readonly group?: string | undefined
}

const PLACE = 'table, consumers, group'

/** Which dead letters are tried again. */
export interface ReplayOptions extends DeadLetterOptions {
  /** Those with these identities alone; all unless given. */
  readonly ids?: readonly string[] | undefined
  /** Gets each record once it was handled, as that of `follow`: a feed has missed them. Where it throws, it stays one. */
  readonly records?: FollowOptions['records'] | undefined
}

/** What became of records that were tried again. */
export interface Replayed {
  /** Handled, and no dead letters any more. */
  readonly handled: number
  readonly failures: readonly { readonly letter: DeadLetter; readonly error: unknown }[]
}

type Followed<T extends AnyType, Tenant extends boolean> = Graph<T, Tenant> | Layout<T, Tenant> | Consumer

/** The records that could not be handled, oldest first in each shard. */
export async function* deadLetters<T extends AnyType, Tenant extends boolean>(
  what: Followed<T, Tenant>,
  store: Store,
  options: DeadLetterOptions = {},
): AsyncIterable<DeadLetter> {
  optionsOf('deadLetters', options, PLACE)
  try {
    yield* readDeadLetters(placeOf(what, store, options))
  } catch (error) {
    throw storeError(error)
  }
}

/** Hands dead letters to the consumer once more. What it handles now is no dead letter any more. */
export async function replay<T extends AnyType, Tenant extends boolean>(
  what: Followed<T, Tenant>,
  store: Store,
  options: ReplayOptions = {},
): Promise<Replayed> {
  const { table, ids = [] } = workOptions('replay', options, `${PLACE}, ids, records`, 'records')
  refuse(Array.isArray(ids), 'ids is a list of identities')
  const given = isConsumer(what) ? what : consumer(what, store, table === undefined ? {} : { table })
  return told(handed(given, placeOf(what, store, options), options))
}

async function handed(given: Consumer, place: DeadLetterPlace, { ids, records }: ReplayOptions): Promise<Replayed> {
  const failures: { letter: DeadLetter; error: unknown }[] = []
  let handled = 0
  for await (const letter of readDeadLetters(place)) {
    if (ids && !ids.includes(letter.id)) continue
    const failed = await failureOf(given, letter, records)
    if (failed) failures.push({ letter, error: failed.error })
    else {
      await removeDeadLetter(place, letter)
      handled++
    }
  }
  return { handled, failures }
}

async function failureOf(
  given: Consumer,
  { record }: DeadLetter,
  records: ReplayOptions['records'],
): Promise<{ readonly error: unknown } | undefined> {
  try {
    const [failure] = (await given.handle([record])).failures
    if (!failure) await records?.([record])
    return failure
  } catch (error) {
    return { error }
  }
}

function placeOf<T extends AnyType, Tenant extends boolean>(
  what: Followed<T, Tenant>,
  store: Store,
  { table = nameOf(what), consumers = consumersName(table), group = GROUP }: DeadLetterOptions,
): DeadLetterPlace {
  return { store: retrying(store), table: consumers, group }
}

function nameOf<T extends AnyType, Tenant extends boolean>(what: Followed<T, Tenant>): string {
  return isConsumer(what) ? what.layout.design.name : layoutOf(what).design.name
}
