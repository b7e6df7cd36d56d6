import fc from 'fast-check'
import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { date, edge, graph, integer, node, type OpenedOf, open, set, string } from '../../../src/index.js'
import type { Store } from '../../../src/store/port.js'
import { outcomeOf } from './runner/outcome.js'

const START = Date.UTC(2026, 0, 1)
const TAGS = ['x', 'y']
const IDS = ['a', 'b', 'c']

const note = node(
  'note',
  { id: string(), size: integer(), tags: set(string()).optional(), until: date().optional() },
  { id: 'id', expires: 'until', by: { size: { order: ['size'] }, tag: { in: ['tags'], order: ['size'], as: 'item' } } },
)
const until = date().optional()
const friends = edge('friends', { one: note, other: note }, { until }, { undirected: true, expires: 'until' })
const next = edge('next', { from: note, to: note }, { until }, { one: 'from', expires: 'until' })
const notes = graph('notes', [note, friends, next])

interface Dated {
  readonly until?: Date
}
interface Note extends Dated {
  readonly id: string
  readonly size: number
  readonly tags?: Set<string>
}

const id = fc.constantFrom(...IDS)
const lasting = fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined })
const command = fc.oneof(
  fc.record({
    does: fc.constantFrom('put' as const, 'create' as const, 'update' as const),
    id,
    size: fc.nat({ max: 3 }),
    tags: fc.option(fc.subarray(TAGS, { minLength: 1 }), { nil: undefined }),
    lasting,
  }),
  fc.record({ does: fc.constant('delete' as const), id }),
  fc.record({ does: fc.constantFrom('befriend' as const, 'part' as const), id, other: id, lasting }),
  fc.record({ does: fc.constantFrom('lead' as const, 'stray' as const), id, other: id, lasting }),
  fc.record({ does: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 8 }) }),
  fc.record({ does: fc.constant('sweep' as const), which: fc.nat({ max: 1 }) }),
)
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never
type Of<Does extends Command['does']> = Extract<Command, { does: Does }>

/** Notes, friends of notes and referenced notes, in a store and in plain maps, with a controlled clock. */
class Expiring {
  private now = START
  private readonly rows = new Map<string, Note>()
  private readonly pairs = new Map<string, Dated>()
  private readonly leads = new Map<string, Dated & { readonly to: string }>()
  private readonly store: Store = memory({ now: () => this.now })
  private g!: OpenedOf<typeof notes>

  async perform(commands: readonly Command[]): Promise<void> {
    this.g = await open(notes, this.store, { clock: () => this.now })
    for (const each of commands) {
      await this.does(each)
      await this.readNotes()
      for (const one of IDS) await this.readEdges(one)
    }
  }

  private isLive = ({ until }: Dated) =>
    until === undefined || Math.floor(until.getTime() / 1000) > Math.floor(this.now / 1000)

  private until(lasting: number | undefined): Dated {
    return lasting === undefined ? {} : { until: new Date(this.now + lasting * 1000) }
  }

  private does(command: Command): Promise<unknown> {
    switch (command.does) {
      case 'pass':
        this.now += command.seconds * 1000
        return Promise.resolve()
      case 'sweep':
        return this.sweep(command)
      case 'befriend':
      case 'part':
        return this.befriend(command)
      case 'lead':
      case 'stray':
        return this.lead(command)
      case 'delete':
        this.rows.delete(command.id)
        return Promise.resolve(this.g.note.delete(command.id))
      default:
        return this.write(command)
    }
  }

  /** The store removes a random part of the expired items. */
  private async sweep({ which }: Of<'sweep'>): Promise<void> {
    const { Items = [] } = await this.store.scan({ TableName: 'notes' })
    const gone = Items.filter(item => item._expires && Number(item._expires.N) <= this.now / 1000)
    for (const [i, { PK, SK }] of gone.entries())
      if (i % 2 === which) await this.store.deleteItem({ TableName: 'notes', Key: { PK: PK!, SK: SK! } })
  }

  private async write({ does, id: key, size, tags, lasting }: Of<'put' | 'create' | 'update'>): Promise<void> {
    const { note: handle } = this.g
    const before = this.rows.get(key)
    const there = before && this.isLive(before) ? before : undefined
    const given = { size, ...(tags && { tags: new Set(tags) }), ...this.until(lasting) }
    const row = { id: key, ...given }
    const { code } = await outcomeOf<unknown>(() => (does === 'update' ? handle.update(key, given) : handle[does](row)))
    const reasons = { put: undefined, create: there && 'write.exists', update: there ? undefined : 'write.absent' }
    expect(code).toBe(reasons[does])
    if (code === undefined) this.rows.set(key, does === 'update' ? { ...there, ...row } : row)
  }

  private async befriend(command: Of<'befriend' | 'part'>): Promise<void> {
    const ends = { one: command.id, other: command.other }
    const pair = pairOf(ends)
    if (command.does === 'part') {
      this.pairs.delete(pair)
      return this.g.friends.delete(ends)
    }
    const dated = this.until(command.lasting)
    this.pairs.set(pair, dated)
    return this.g.friends.put({ ...ends, ...dated })
  }

  private async lead(command: Of<'lead' | 'stray'>): Promise<void> {
    const { id: from, other: to } = command
    const old = this.leads.get(from)
    if (command.does === 'stray') {
      if (old?.to === to) this.leads.delete(from)
      return this.g.next.delete({ from, to })
    }
    const dated = this.until(command.lasting)
    const { code } = await outcomeOf(() => this.g.next.create({ from, to, ...dated }))
    expect(code === undefined).toBe(!old || !this.isLive(old))
    if (code === undefined) this.leads.set(from, { to, ...dated })
  }

  private async readNotes(): Promise<void> {
    const { note: handle } = this.g
    const live = [...this.rows.values()].filter(this.isLive)
    expect(await handle.many(IDS)).toEqual(IDS.map(one => live.find(row => row.id === one)))
    const sizes = live.map(({ size }) => size).sort()
    expect((await handle.by.size().all()).map(({ size }) => size)).toEqual(sizes)
    expect(await handle.by.size().count()).toBe(live.length)
    for (const tag of TAGS) {
      const tagged = live.filter(({ tags }) => tags?.has(tag)).map(row => row.id)
      const found = await handle.by.tag({ tags: tag }).all()
      expect(found.map(row => row.id).sort()).toEqual(tagged.sort())
      expect(await handle.by.tag({ tags: tag }).count()).toBe(tagged.length)
    }
  }

  private async readEdges(one: string): Promise<void> {
    const pairs = [...this.pairs].filter(([pair, dated]) => this.isLive(dated) && pair.includes(one))
    const found = await this.g.friends.by.one(one).all()
    expect(found.map(pairOf).sort()).toEqual(pairs.map(([pair]) => pair).sort())
    const leads = [...this.leads].filter(([, dated]) => this.isLive(dated))
    const led = leads.filter(([from]) => from === one).map(([, { to }]) => to)
    expect((await this.g.next.by.from(one).all()).map(({ to }) => to)).toEqual(led)
    const leading = leads.filter(([, { to }]) => to === one).map(([from]) => from)
    expect((await this.g.next.by.to(one).all()).map(({ from }) => from).sort()).toEqual(leading.sort())
  }
}

const pairOf = ({ one, other }: { readonly one: string; readonly other: string }) => [one, other].sort().join()

it('expired rows are equivalent to missing rows before and after the store removes them', async () => {
  const commands = fc.array(command, { minLength: 5, maxLength: 40, size: 'max' })
  await fc.assert(
    fc.asyncProperty(commands, all => new Expiring().perform(all)),
    { numRuns: 100 },
  )
})
