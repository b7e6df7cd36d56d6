import { workOptions } from '../../graph/given.js'
import { told } from '../../graph/told.js'
import type { Layout } from '../../layout/layout.js'
import type { AnyType, Graph } from '../../schema/graph.js'
import type { Store, Streams } from '../../store/port.js'
import { consumer } from '../consumer.js'
import { type Consumer, isConsumer } from '../port.js'
import { FOLLOW_FUNCTIONS, FOLLOW_OPTIONS, type FollowOptions } from './settings.js'
import { type Follow, startFollowing } from './start.js'

/**
 * Keeps what the stream of a graph's table derives: reads its shards, shared with the other followers of the group, and
 * hands their records to a consumer of the graph, or to one that is given in its place.
 */
export async function follow<T extends AnyType, Tenant extends boolean>(
  what: Graph<T, Tenant> | Layout<T, Tenant> | Consumer,
  store: Store & Streams,
  options: FollowOptions = {},
): Promise<Follow> {
  const { table, clock, random, signal } = workOptions('follow', options, FOLLOW_OPTIONS, FOLLOW_FUNCTIONS)
  const given = { ...(table !== undefined && { table }), ...(clock && { clock }), ...(random && { random }) }
  const own = isConsumer(what) ? what : consumer(what, store, given)
  return told(startFollowing(own, store, options), signal)
}
