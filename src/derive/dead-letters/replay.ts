import { assertArgument, parseOptions, parseWorkOptions } from '../../graph/arguments.js'
import { toStoreError } from '../../graph/run/request-sender.js'
import { rethrowStoreError } from '../../graph/run/store-errors.js'
import { type Layout, layoutOf } from '../../layout/layout.js'
import type { AnyType, Graph } from '../../schema/graph.js'
import type { Store } from '../../store/port.js'
import { retrying } from '../../store/retry.js'
import { consumersName } from '../../table/production/consumers-table.js'
import { DEFAULT_GROUP, type FollowOptions } from '../follow/settings.js'
import { type Consumer, isConsumer } from '../port.js'
import { consumer } from '../settle/consumer.js'
import { type DeadLetter, type DeadLetterLocation, readDeadLetters, removeDeadLetter } from './storage.js'

/** Where dead letters lie: as it was told to `follow`. */
export interface DeadLetterOptions {
  readonly table?: string | undefined
  readonly consumers?: string | undefined
  readonly group?: string | undefined
}

const LOCATION_OPTIONS = 'table, consumers, group'

/** Which dead letters are tried again. */
export interface ReplayOptions extends DeadLetterOptions {
  /** Those with these identities alone; all unless given. */
  readonly ids?: readonly string[] | undefined
  /** Gets each record once it was handled, as that of `follow`: a feed has missed them. Where it throws, it stays one. */
  readonly records?: FollowOptions['records'] | undefined
}

/** What became of records that were tried again. */
export interface ReplayResult {
  /** Handled, and no dead letters any more. */
  readonly handled: number
  readonly failures: readonly { readonly letter: DeadLetter; readonly error: unknown }[]
}

type ReplaySource<T extends AnyType, Tenant extends boolean> = Graph<T, Tenant> | Layout<T, Tenant> | Consumer

/** The records that could not be handled, oldest first in each shard. */
export async function* deadLetters<T extends AnyType, Tenant extends boolean>(
  graphOrConsumer: ReplaySource<T, Tenant>,
  store: Store,
  options: DeadLetterOptions = {},
): AsyncIterable<DeadLetter> {
  parseOptions('deadLetters', options, LOCATION_OPTIONS)
  try {
    yield* readDeadLetters(locationOf(graphOrConsumer, store, options))
  } catch (error) {
    throw toStoreError(error)
  }
}

/** Hands dead letters to the consumer once more. What it handles now is no dead letter any more. */
export async function replay<T extends AnyType, Tenant extends boolean>(
  graphOrConsumer: ReplaySource<T, Tenant>,
  store: Store,
  options: ReplayOptions = {},
): Promise<ReplayResult> {
  const { table, ids = [] } = parseWorkOptions('replay', options, `${LOCATION_OPTIONS}, ids, records`, 'records')
  assertArgument(Array.isArray(ids), 'ids is a list of identities')
  const recordConsumer = isConsumer(graphOrConsumer)
    ? graphOrConsumer
    : consumer(graphOrConsumer, store, table === undefined ? {} : { table })
  return rethrowStoreError(replayLetters(recordConsumer, locationOf(graphOrConsumer, store, options), options))
}

async function replayLetters(
  recordConsumer: Consumer,
  location: DeadLetterLocation,
  { ids, records }: ReplayOptions,
): Promise<ReplayResult> {
  const failures: { letter: DeadLetter; error: unknown }[] = []
  let handled = 0
  for await (const letter of readDeadLetters(location)) {
    if (ids && !ids.includes(letter.id)) continue
    const failure = await replayLetter(recordConsumer, letter, records)
    if (failure) failures.push({ letter, error: failure.error })
    else {
      await removeDeadLetter(location, letter)
      handled++
    }
  }
  return { handled, failures }
}

async function replayLetter(
  recordConsumer: Consumer,
  { record }: DeadLetter,
  records: ReplayOptions['records'],
): Promise<{ readonly error: unknown } | undefined> {
  try {
    const [failure] = (await recordConsumer.handle([record])).failures
    if (!failure) await records?.([record])
    return failure
  } catch (error) {
    return { error }
  }
}

function locationOf<T extends AnyType, Tenant extends boolean>(
  graphOrConsumer: ReplaySource<T, Tenant>,
  store: Store,
  { table = tableNameOf(graphOrConsumer), consumers = consumersName(table), group = DEFAULT_GROUP }: DeadLetterOptions,
): DeadLetterLocation {
  return { store: retrying(store), table: consumers, group }
}

function tableNameOf<T extends AnyType, Tenant extends boolean>(graphOrConsumer: ReplaySource<T, Tenant>): string {
  return isConsumer(graphOrConsumer) ? graphOrConsumer.layout.design.name : layoutOf(graphOrConsumer).design.name
}
