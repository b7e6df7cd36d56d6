import type { Layout } from '../../../../src/layout/layout.js'
import type { DeclaredType } from '../../../../src/layout/slots.js'
import type { DeclaredGraph, DeclaredNode } from '../../../../src/schema/declarations.js'
import { EDGE_CONDITIONS, type Held, NODE_CONDITIONS } from '../reference/conditions.js'
import { keyOf, type Row } from '../reference/identity.js'
import type { Write } from '../reference/model.js'
import {
  membersOf,
  nodeAt,
  type PathRead,
  partAttribute,
  pathsOf,
  type ReadPath,
  seenThrough,
} from '../reference/reads.js'
import { Choice } from './random-choice.js'
import { anyId, anyIdentity, anyPatch, anyRow, elementOf } from './random-values.js'

export interface Named {
  readonly type: string
  readonly key: unknown
}

/** The call that ends a read. */
export type Manner = 'all' | 'first' | 'count' | 'pages' | 'iterate'

export type Command =
  | { readonly does: 'write'; readonly write: Write; readonly returning?: 'old' | 'new' }
  | { readonly does: 'transact' | 'batch' | 'race'; readonly writes: readonly Write[] }
  | { readonly does: 'get'; readonly named: Named; readonly consistent: boolean }
  | { readonly does: 'many'; readonly type: string; readonly keys: readonly unknown[] }
  | { readonly does: 'together'; readonly how: '$transact' | '$batch'; readonly named: readonly Named[] }
  | { readonly does: 'unique'; readonly type: string; readonly name: string; readonly value: unknown }
  | { readonly does: 'path'; readonly read: PathRead; readonly manner: Manner; readonly pageRows: number }
  | { readonly does: 'scan'; readonly type: string }
  | { readonly does: 'collect'; readonly type: string; readonly id: unknown; readonly parts: readonly PathRead[] }

/** Nodes exist most of the time, because edges need them. */
const VERBS = {
  node: ['create', 'create', 'put', 'put', 'put', 'update', 'update', 'delete'],
  edge: ['create', 'create', 'put', 'put', 'put', 'update', 'update', 'update', 'delete'],
} as const

const WRITES = [
  'write',
  'write',
  'write',
  'write',
  'write',
  'write',
  'write',
  'write',
  'transact',
  'batch',
  'race',
] as const
const READS = ['get', 'many', 'together', 'unique', 'path', 'path', 'path', 'scan', 'collect'] as const

/** The command of a seed, which is the same for the same graph. */
export class Commands {
  private readonly types: readonly DeclaredType[]
  private readonly paths: readonly ReadPath[]

  constructor(
    private readonly graph: DeclaredGraph,
    private readonly readRate = 0.25,
    layout?: Layout,
    private readonly choices: new (seed: number) => Choice = Choice,
  ) {
    this.types = [...graph.nodes, ...graph.edges]
    const paths = pathsOf(graph)
    this.paths = layout ? paths.map(path => seenThrough(layout, path)) : paths
  }

  of(seed: number): Command {
    const choice = new this.choices(seed)
    return choice.chance(this.readRate) ? this.read(choice) : this.written(choice)
  }

  private written(choice: Choice): Command {
    const does = choice.of(WRITES)
    if (does === 'write') {
      const write = this.write(choice)
      const returning = choice.chance(0.2)
        ? choice.of(write.verb === 'delete' ? ['old' as const] : (['old', 'new'] as const))
        : undefined
      return { does, write, ...(returning && { returning }) }
    }
    const count = 2 + choice.below(does === 'race' ? 2 : 3)
    const writes = Array.from({ length: count }, () => this.write(choice))
    return { does, writes }
  }

  private write(choice: Choice): Write {
    const { nodes, edges } = this.graph
    const type = choice.of<DeclaredType>(edges.length > 0 && choice.chance(0.6) ? edges : nodes)
    const verb = choice.of(VERBS[type.kind])
    const condition = choice.chance(0.1) ? choice.of(this.conditions(type, verb)) : undefined
    const more = { verb, type: type.name, ...(condition && { condition }) }
    if (verb === 'update') return { ...more, row: anyIdentity(type, choice), patch: anyPatch(type, choice) }
    if (verb === 'delete') {
      const edges = this.canBeFound(type) && choice.chance(0.3) ? choice.of(['cascade', 'refuse'] as const) : undefined
      return { ...more, row: anyIdentity(type, choice), ...(edges && { edges }) }
    }
    const checkingEnds = type.kind === 'edge' && choice.chance(0.1)
    return { ...more, row: anyRow(type, choice), ...(checkingEnds && { checkingEnds }) }
  }

  /** Excludes conditions on deletions, because only some deletions report whether a missing row meets a condition. */
  private conditions(type: DeclaredType, verb: Write['verb']): readonly Held[] {
    const all = type.kind === 'node' ? NODE_CONDITIONS : EDGE_CONDITIONS
    if (verb !== 'delete') return all
    return type.kind === 'edge' && type.one !== undefined ? [] : all.filter(({ holds }) => !holds(undefined))
  }

  /** Edges without a path from a node cannot cascade. */
  private canBeFound(type: DeclaredType): boolean {
    const ends = this.graph.edges.flatMap(edge => edge.ends).filter(({ node }) => node === type)
    return type.kind === 'node' && ends.every(({ by }) => by.as !== 'none')
  }

  private named(choice: Choice): Named {
    const type = choice.of(this.types)
    return { type: type.name, key: keyOf(type, anyIdentity(type, choice)) }
  }

  private read(choice: Choice): Command {
    const does = choice.of(READS)
    switch (does) {
      case 'get':
        return { does, named: this.named(choice), consistent: choice.chance(0.5) }
      case 'many': {
        const type = choice.of(this.types)
        const keys = Array.from({ length: choice.below(5) }, () => keyOf(type, anyIdentity(type, choice)))
        return { does, type: type.name, keys }
      }
      case 'together': {
        const named = Array.from({ length: 1 + choice.below(4) }, () => this.named(choice))
        return { does, how: choice.of(['$transact', '$batch'] as const), named }
      }
      case 'unique':
        return this.unique(choice)
      case 'path':
        return this.path(choice)
      case 'scan':
        return { does, type: choice.of(this.types).name }
      case 'collect':
        return this.collect(choice)
    }
  }

  private unique(choice: Choice): Command {
    const unique = this.graph.nodes.filter(node => node.unique.length > 0)
    if (unique.length === 0) return this.path(choice)
    const { name: type, attributes } = choice.of(unique)
    return { does: 'unique', type, name: 'mail', value: elementOf('mail', attributes.mail!, choice) }
  }

  private path(choice: Choice): Command {
    if (this.paths.length === 0) return { does: 'scan', type: choice.of(this.types).name }
    const path = choice.of(this.paths)
    const manner = choice.of(['all', 'all', 'all', 'first', 'count', 'pages', 'pages', 'iterate'] as const)
    const read = this.pathRead(choice, path)
    // A count includes edges whether or not the nodes at their ends exist.
    const { nodes: _, only: __, ...own } = read
    const asked = manner === 'count' ? own : read
    return { does: 'path', read: asked, manner, pageRows: 1 + choice.below(3) }
  }

  private pathRead(choice: Choice, path: ReadPath, given = this.given(choice, path)): PathRead {
    const { type } = path
    const conditions = type.kind === 'node' ? NODE_CONDITIONS : EDGE_CONDITIONS
    const possible = conditions.filter(({ uses }) => path.told && !path.told.some(part => uses.includes(part)))
    const filter = choice.chance(0.15) ? choice.of(possible) : undefined
    const nodes = type.kind === 'edge' && choice.chance(0.3) ? choice.of(['nodes', 'joined'] as const) : undefined
    const where = choice.chance(0.4) ? this.where(choice, path) : undefined
    const only = choice.chance(0.2) ? choice.some(membersOf(type), 0.4) : []
    return {
      path,
      reverse: choice.chance(0.4),
      consistent: choice.chance(0.2),
      ...(given !== undefined && { given }),
      ...(where && { where }),
      ...(filter && { filter }),
      ...(nodes && { nodes }),
      ...(only.length > 0 && { only }),
      ...(choice.chance(0.3) && { limit: 1 + choice.below(3) }),
    }
  }

  private given(choice: Choice, { type, end, startsAt, given }: ReadPath): unknown {
    if (end) return anyId(end.node, choice)
    const owner = (type as DeclaredNode).within
    if (startsAt !== undefined) return anyId(owner!, choice)
    if (given.length === 0) return undefined
    const parts = given.map(part => {
      const attribute = type.attributes[part]
      return [part, attribute ? elementOf(part, attribute, choice) : anyId(owner!, choice)] as const
    })
    return Object.fromEntries(parts)
  }

  /** Some parts from the left by their values, the last perhaps by a range. */
  private where(choice: Choice, { type, order }: ReadPath): Row | undefined {
    if (order.length === 0) return undefined
    const parts = order.slice(0, 1 + choice.below(order.length))
    const entries = parts.map((part, i) => {
      const attribute = partAttribute(type, part)
      const value = () => this.partValue(choice, type, part)
      const isRange = i === parts.length - 1 && attribute !== undefined && choice.chance(0.6)
      return [part, isRange ? this.range(choice, attribute.kind === 'string', value) : value()] as const
    })
    return Object.fromEntries(entries)
  }

  private partValue(choice: Choice, type: DeclaredType, part: string): unknown {
    const node = nodeAt(type, part)
    return node ? anyId(node, choice) : elementOf(part, type.attributes[part]!, choice)
  }

  private range(choice: Choice, isText: boolean, value: () => unknown): object {
    if (isText && choice.chance(0.3)) return { startsWith: (value() as string).slice(0, 1) }
    const kind = choice.below(3)
    return { ...(kind !== 0 && { from: value() }), ...(kind !== 1 && { to: value() }) }
  }

  private collect(choice: Choice): Command {
    const node = choice.of(this.graph.nodes)
    const id = anyId(node, choice)
    const starting = this.paths.filter(({ startsAt, end, type, given }) =>
      end
        ? end.node === node
        : (type as DeclaredNode).within === node && (startsAt !== undefined || given.includes(node.name)),
    )
    const parts = choice.some(starting, 0.7).map(path => {
      const isNamed = path.given.includes(node.name)
      const start = isNamed ? { ...(this.given(choice, path) as Row), [node.name]: id } : id
      const { consistent: _, ...read } = this.pathRead(choice, path, start)
      return { ...read, consistent: false }
    })
    return { does: 'collect', type: node.name, id, parts }
  }
}
