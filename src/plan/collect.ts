import type { Access } from '../layout/access.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { storeItem } from '../layout/store-item.js'
import { GraphError } from '../schema/error.js'
import { type PathAsk, type PathRead, type ReadOptions, sizesOf } from './ask.js'
import { Expressions } from './expression.js'
import { hydrations, isPartial } from './hydration.js'
import { identityValues, ownKind, referencesOf, tableKey, tenantValues, typeOf } from './identity.js'
import { type Place, placeOf } from './partition.js'
import type { Found, NodeShape, Plan, RowsShape, Step } from './plan.js'
import { consistency, queryPrice } from './price.js'
import { type Source, sourcesOf } from './queries.js'
import { itemStep } from './read-item.js'
import { accessNamed, pathSteps } from './read-path.js'
import { nodeAt, type Run, runsOf, type Wanted } from './runs.js'

/** A part of a collection, and where it lies if it can be read together with others. */
interface Part {
  readonly ask: PathAsk
  readonly access: Access
  readonly source: Source | undefined
}

/** A partition from which several parts can be read. */
interface Group {
  readonly place: Place
  readonly text: string
  readonly names: readonly string[]
}

/** A node and what lies beside it, in the fewest requests. */
export function planCollect(
  layout: Layout,
  typeName: string,
  id: unknown,
  reads: Readonly<Record<string, PathRead>>,
  options: ReadOptions = {},
): Plan {
  const kind = ownKind(layout, typeOf(layout, typeName))
  const asked = Object.entries(reads).map(([name, read]) => [name, partOf(layout, kind, id, { ...read, ...options })])
  return new Collection(layout, kind, Object.fromEntries(asked), id, options).plan()
}

function partOf(layout: Layout, node: Kind, id: unknown, read: PathAsk): Part {
  const ask = { ...read, given: id }
  const access = accessNamed(layout, ask.type, ask.path)
  const starts = referencesOf(access.type).find(({ name }) => name === access.name)
  if (starts?.node !== node.type)
    throw new GraphError('read.path', `${ask.type}.by.${ask.path} does not start at a ${node.type.name}`, {
      type: ask.type,
      name: ask.path,
    })
  const sources = sourcesOf(layout, access, id, ask.where, tenantValues(ask.tenant))
  const alone = ask.where !== undefined || ask.filter !== undefined || isPartial(layout, access)
  const source = sources.length === 1 && !alone && sources[0]!.text !== undefined ? sources[0] : undefined
  return { ask, access, source: ask.consistent && !access.consistent ? undefined : source }
}

/** Covers what is asked for, run by run; numbers the steps as they come. */
class Collection {
  private readonly steps: Step[] = []
  private readonly shapes: Record<string, RowsShape> = {}
  private node: NodeShape | undefined

  constructor(
    private readonly layout: Layout,
    private readonly kind: Kind,
    private readonly parts: Readonly<Record<string, Part>>,
    private readonly id: unknown,
    private readonly options: ReadOptions,
  ) {}

  plan(): Plan {
    const values = { ...tenantValues(this.options.tenant), ...identityValues(this.kind.type, this.id) }
    const item = storeItem(this.kind, this.layout.names, values)
    // The table first: there the node can be read consistently.
    for (const group of this.groups()) {
      const own = this.node ? undefined : nodeAt(group.place, group.text, this.kind, item)
      const wanted = [...(own ? [own] : []), ...this.wantedIn(group)]
      for (const run of runsOf(this.layout, group.place, group.text, wanted))
        if (run.wanted.length > 1) this.addRun(group, run)
    }
    if (!this.node) {
      this.node = { step: this.steps.length, kind: this.kind.name }
      this.steps.push(itemStep(this.layout, this.steps.length, this.options, tableKey(this.layout, this.kind, values)))
    }
    for (const [name, { ask }] of Object.entries(this.parts)) if (!this.shapes[name]) this.addAlone(name, ask)
    const parts = Object.fromEntries(Object.keys(this.parts).map(name => [name, this.shapes[name]!]))
    return { steps: this.steps, answer: { shape: 'collection', node: this.node, parts } }
  }

  private groups(): Group[] {
    const groups = new Map<string, Group & { names: string[] }>()
    for (const [name, { source }] of Object.entries(this.parts)) {
      if (!source) continue
      const key = JSON.stringify([source.access.index ?? '', source.text])
      const group = groups.get(key)
      const place = placeOf(this.layout, source.access.index)
      if (group) group.names.push(name)
      else groups.set(key, { place, text: source.text!, names: [name] })
    }
    return [...groups.values()].sort(
      (a, b) => Number(a.place.index !== undefined) - Number(b.place.index !== undefined),
    )
  }

  /** What was asked for twice is read with the others once. */
  private wantedIn({ names }: Group): Wanted[] {
    const taken = new Set<string>()
    return names.flatMap(part => {
      const { source, ask } = this.parts[part]!
      const { marks, span } = source!
      if (marks.some(mark => taken.has(mark))) return []
      for (const mark of marks) taken.add(mark)
      return [{ part, marks, span: span!, limit: ask.limit, reverse: ask.reverse ?? false }]
    })
  }

  private addRun({ place, text }: Group, run: Run): void {
    const id = this.steps.length
    this.steps.push(runStep(this.layout, place, text, run, id, this.options))
    const limited = run.wanted.find(({ limit }) => limit !== undefined)
    for (const { part, marks, reverse, limit } of run.wanted) {
      if (part === undefined) {
        this.node = { step: id, kind: this.kind.name }
        continue
      }
      const { access, ask } = this.parts[part]!
      const found: Found = {
        steps: [id],
        reverse,
        kind: access.kind.name,
        marks,
        ...(reverse && !limited && { backwards: true }),
        ...(limit !== undefined && { limit }),
      }
      const more = hydrations(this.layout, ask, access, found, this.steps.length)
      this.steps.push(...more.steps)
      this.shapes[part] = { shape: 'rows', found, ...more.shape }
    }
  }

  private addAlone(name: string, ask: PathAsk): void {
    const { steps, shape } = pathSteps(this.layout, ask, this.steps.length)
    this.steps.push(...steps)
    this.shapes[name] = shape
  }
}

function runStep(layout: Layout, place: Place, text: string, run: Run, id: number, options: ReadOptions): Step {
  const expressions = new Expressions()
  const span = place.sort === undefined ? undefined : run.span
  const KeyConditionExpression = expressions.key([
    [place.partition, { equal: { S: text } }],
    ...(span ? ([[place.sort!, { from: textOf(span.low), to: textOf(span.high) }]] as const) : []),
  ])
  if (run.mixed)
    expressions.oneOf(
      layout.names.type,
      run.wanted.flatMap(({ marks }) => marks),
    )
  const limited = run.wanted.find(({ limit }) => limit !== undefined)
  const rows = limited?.limit === undefined ? undefined : limited.limit + 1
  const { items, itemBytes } = sizesOf(options)
  const expected = run.wanted.reduce((sum, { part, limit }) => sum + (part ? Math.min(limit ?? items, items) : 1), 0)
  const notes = [
    ...(limited?.reverse ? ['backwards, so that the node, which sorts last, comes first'] : []),
    ...(run.mixed ? ['other kinds lie in the same partition: they are read and paid for, then left out'] : []),
  ]
  return {
    id,
    after: [],
    request: {
      operation: 'query',
      input: {
        TableName: layout.design.name,
        ...(place.index !== undefined && { IndexName: place.index }),
        KeyConditionExpression,
        ...expressions.members(),
        ...(limited?.reverse && { ScanIndexForward: false }),
        ...(options.consistent && { ConsistentRead: true }),
        ...(rows !== undefined && { Limit: rows }),
      },
    },
    pages: { until: rows ?? 'end' },
    price: queryPrice(place.index, { items: expected, itemBytes, limit: rows }, consistency(options.consistent)),
    ...(notes.length > 0 && { notes }),
  }
}

const textOf = (S: string | undefined) => (S === undefined || S === '' ? undefined : { S })
