import { INDEX_KEY_PARTS } from '../../dynamodb/limits.js'
import { rejectDeclarationIf } from '../../schema/checks/assertions.js'
import { GraphError } from '../../schema/error.js'
import type { IndexDesign } from '../design.js'
import { type DefaultKeys, INVERTED } from '../keys/default-keys.js'
import type { LayoutOptions } from '../options.js'
import type { StoredNames } from '../stored-names.js'

/** An index of the table without the list of its readers. */
export type LayoutIndex = Omit<IndexDesign, 'serves'> & { readonly native: boolean }

/** Returns all indexes of a layout: the configured ones, and those that the keys and access methods need. */
export function indexesOf(
  { kinds, paths }: DefaultKeys,
  { indexes: indexOptions = {} }: LayoutOptions,
  names: StoredNames,
): LayoutIndex[] {
  const indexes: LayoutIndex[] = []
  const add = (name: string, partition: string[], sort: string[], more?: Partial<LayoutIndex>) => {
    if (indexes.some(index => index.name === name))
      throw new GraphError('layout.index', `index '${name}': two indexes have this name; rename one.`, { name })
    indexes.push({ name, kind: 'global', partition, sort, project: 'all', native: false, ...more })
  }
  const isNew = (partition: string) => !indexes.some(index => index.partition[0] === partition)

  for (const [name, { keys, ...more }] of Object.entries(indexOptions)) {
    const [partition, ...sort] = keys ?? []
    if (!partition)
      throw new GraphError(
        'layout.index',
        `index '${name}': it has no keys; give keys such as ['${name}PK', '${name}SK'].`,
        { name },
      )
    add(name, [partition], sort, more)
  }
  for (const attribute of new Set(kinds.flatMap(({ templateTexts }) => Object.keys(templateTexts)))) {
    const [, global, local] = /^(?:(GSI\d+)PK|(LSI\d+)SK)$/.exec(attribute) ?? []
    if (global && isNew(attribute)) add(global, [attribute], [`${global}SK`])
    if (local && !indexes.some(({ sort }) => sort[0] === attribute))
      add(local, [names.partition], [attribute], { kind: 'local' })
  }
  if (paths.some(({ method }) => method === 'inverted') && isNew(names.sort))
    add(INVERTED, [names.sort], [names.partition])
  for (const { type, name: path, method, requiredSlots: parts, fullOrder, shardAt } of paths) {
    if (method !== 'native') continue
    const name = `${type.name}_${path}`
    const stored = (slot: string) => names.attributeOf(type, slot)
    const head = [names.type, ...(shardAt ? [shardAt] : []), ...parts.map(stored)]
    const tail = fullOrder.map(stored)
    rejectDeclarationIf(
      type.name,
      Math.max(head.length, tail.length) > INDEX_KEY_PARTS,
      'layout.native',
      name,
      `the index ${name} has ${head} and ${tail} as keys, but DynamoDB allows ${INDEX_KEY_PARTS} attributes in each; give fewer, or declare as: 'index'.`,
    )
    add(name, head, tail, { native: true })
  }
  return indexes.sort((a, b) => (a.name < b.name ? -1 : 1))
}
