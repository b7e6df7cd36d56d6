import { GraphError } from '../schema/error.js'
import type { Capacity, IndexDesign } from './design.js'
import { type Drafts, INVERTED } from './drafts.js'
import type { Physical } from './given.js'
import type { Names } from './names.js'

/** An index of the table, before it is known what reads it. */
export type Index = Omit<IndexDesign, 'serves'> & { readonly native: boolean }

const GLOBAL = /^GSI(\d+)PK$/
const LOCAL = /^LSI(\d+)SK$/

/** The indexes that are given, and those that the keys of the kinds and the ways of the paths ask for. */
export function indexesOf(drafts: Drafts, physical: Physical, names: Names): Index[] {
  const attributes = new Set(drafts.kinds.flatMap(({ texts }) => Object.keys(texts)))
  const given = Object.entries(physical.indexes ?? {}).map(([name, index]) => givenIndex(name, index))
  const isGiven = (partition: string) => given.some(index => index.partition[0] === partition)
  const overloaded = [...attributes]
    .filter(attribute => GLOBAL.test(attribute) && !isGiven(attribute))
    .map(attribute => global(attribute.slice(0, -2), attribute, `${attribute.slice(0, -2)}SK`))
  const local = [...attributes]
    .filter(attribute => LOCAL.test(attribute))
    .map(attribute => localIndex(names.partition, attribute))
  const inverted =
    drafts.paths.some(({ way }) => way === 'inverted') && !isGiven(names.sort)
      ? [global(INVERTED, names.sort, names.partition)]
      : []
  const native = drafts.native.map(({ name, partition, sort }) => ({
    ...global(name, names.type),
    partition: [names.type, ...partition.map(slot => names.slot(slot))],
    sort: sort.map(slot => names.slot(slot)),
    native: true,
  }))
  const all = [...given, ...overloaded, ...local, ...inverted, ...native]
  checkNames(all)
  return all.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function global(name: string, partition: string, sort?: string): Index {
  return {
    name,
    kind: 'global',
    partition: [partition],
    sort: sort === undefined ? [] : [sort],
    project: 'all',
    native: false,
  }
}

function localIndex(partition: string, sort: string): Index {
  return { ...global(sort.slice(0, -2), partition, sort), kind: 'local' }
}

function givenIndex(
  name: string,
  {
    keys,
    project = 'all',
    capacity,
  }: { keys: readonly string[]; project?: IndexDesign['project']; capacity?: Capacity },
): Index {
  return { ...global(name, keys[0]!, keys[1]), project, capacity }
}

function checkNames(indexes: readonly Index[]): void {
  const names = indexes.map(({ name }) => name)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw new GraphError('layout.index', `two indexes are named '${twice}'`, { name: twice })
}
