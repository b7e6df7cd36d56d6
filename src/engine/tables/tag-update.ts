import type { Tag } from '../../dynamodb/operation-types.js'
import type { Engine } from '../engine.js'
import { limitExceededError } from '../errors.js'
import type { Stream } from '../streams/stream.js'
import type { Table } from './table.js'

/** A change of a table's tags that is not visible yet, for the duration of `transitionMs`. */
export interface TagUpdate {
  readonly untilMs: number
  /** The tags that are visible during the change. */
  readonly shown: readonly Tag[]
  /** The added tags; undefined if tags were removed. */
  readonly added: readonly Tag[] | undefined
}

export function pendingTagUpdateOf(engine: Engine, tagged: Table | Stream): TagUpdate | undefined {
  const tagging = 'transition' in tagged ? tagged.tagging : undefined
  return tagging && engine.now() < tagging.untilMs ? tagging : undefined
}

/** Throws while a change of tags is pending, unless the request adds at least the same tags again. */
export function checkNotTagging(engine: Engine, tagged: Table | Stream, added?: readonly Tag[]): void {
  const tagging = pendingTagUpdateOf(engine, tagged)
  if (!tagging || (tagging.added && added && hasAllTags(added, tagging.added))) return
  // Only tables have pending changes of tags.
  throw limitExceededError(`Subscriber limit exceeded: Table tags are being updated: ${(tagged as Table).name}`)
}

export function changeTags(engine: Engine, tagged: Table | Stream, tags: readonly Tag[], added?: readonly Tag[]): void {
  const { transitionMs } = engine.settings
  const changes = tags.length !== tagged.tags.length || !hasAllTags(tagged.tags, tags)
  if (changes && transitionMs > 0 && 'transition' in tagged) {
    const shown = pendingTagUpdateOf(engine, tagged)?.shown ?? tagged.tags
    tagged.tagging = { untilMs: engine.now() + transitionMs, shown, added: added && structuredClone(added) }
  }
  tagged.tags = tags
}

function hasAllTags(tags: readonly Tag[], others: readonly Tag[]): boolean {
  const values = new Map(tags.map(({ Key, Value }) => [Key, Value]))
  return others.every(({ Key, Value }) => values.get(Key) === Value)
}
