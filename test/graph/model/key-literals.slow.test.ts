import fc from 'fast-check'
import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { edge, GraphError, graph, layout, node, open, string } from '../../../src/index.js'
import { verify } from '../../../src/jobs/index.js'
import { assertLayout } from '../../../src/layout/proof/layout-proof.js'
import { runs } from './suite.js'

/** Values of ids that also occur as literals of keys. */
const WORDS = ['A', 'B', 'C']

const owner = node('owner', { x: string(), y: string() }, { id: ['x', 'y'] })
const owned = node('owned', { z: string() }, { id: 'z', within: owner })
const other = node('other', { id: string() }, { id: 'id' })
const link = edge('link', { owner, other })
const declared = graph('alike', [owner, owned, other, link])

const literal = fc.constantFrom(...WORDS)

/** A partition key of the owner's id parts in any order, possibly with a literal among them. */
const anyPartition = fc
  .tuple(
    fc.shuffledSubarray(['{owner.x}', '{owner.y}'], { minLength: 2 }),
    fc.array(literal, { maxLength: 1 }),
    fc.nat(),
  )
  .map(([parts, literals, at]) => parts.toSpliced(at % (parts.length + 1), 0, ...literals))

/** A sort key of a literal and a slot. */
const anySort = (slot: string) => literal.map(each => `${each}#{${slot}}`)

/** Keys of the owner in which a literal replaces a part of the id, which moves to the sort key. */
const ownerKeys = (partition: readonly string[]) =>
  fc.constantFrom('x', 'y').chain(moved =>
    fc.record({
      PK: literal.map(each =>
        partition.map(part => (part === `{owner.${moved}}` ? each : part.replace('owner.', ''))).join('#'),
      ),
      SK: anySort(moved),
    }),
  )

const proven = (keys: object, raw: boolean) => {
  try {
    const made = layout(declared, { ...(raw && { raw: { separator: '#' } }), keys: keys as never })
    assertLayout(made)
    return made
  } catch (error) {
    // Ambiguous or unreachable keys are rejected at declaration.
    if (error instanceof GraphError && /^(key|layout|path)\./.test(error.code)) return undefined
    throw error
  }
}

/** Accepted layouts in which the keys of one type can equal those of another for some ids. */
const provenLayout = fc
  .tuple(fc.boolean(), anyPartition)
  .chain(([raw, partition]) =>
    fc.tuple(
      fc.constant(raw),
      ownerKeys(partition),
      anySort('z').map(SK => ({ PK: partition.join('#'), SK })),
      fc.option(
        anySort('other').map(SK => ({ PK: partition.join('#'), SK })),
        { nil: undefined },
      ),
    ),
  )
  .map(([raw, forOwner, forOwned, forLink]) => {
    const keys = { owner: forOwner, owned: forOwned, ...(forLink && { link: forLink }) }
    return { layout: proven(keys, raw), [fc.toStringMethod]: () => `${JSON.stringify(keys)} raw: ${raw}` }
  })
  .filter(each => each.layout !== undefined)

const IDS = WORDS.flatMap(x => WORDS.map(y => ({ x, y })))
const someIds = fc.subarray(IDS)
const someOwned = fc.subarray(IDS.flatMap(id => WORDS.slice(0, 2).map(z => ({ owner: id, z }))))
const someLinks = fc.subarray(IDS.flatMap(id => WORDS.slice(0, 2).map(to => ({ owner: id, other: to }))))

const isAt = (id: object) => (row: { readonly owner: object }) => JSON.stringify(row.owner) === JSON.stringify(id)

const inOrder = (rows: readonly unknown[]) => rows.map(row => JSON.stringify(row)).sort()

it('every read returns exactly the requested rows for random literals in valid custom keys', async () => {
  const holds = async (
    made: { readonly layout: ReturnType<typeof proven> },
    owners: typeof IDS,
    owneds: readonly { owner: { x: string; y: string }; z: string }[],
    links: readonly { owner: { x: string; y: string }; other: string }[],
  ) => {
    const g = await open(made.layout!, memory())
    for (const row of owners) await g.owner.put(row)
    for (const row of owneds) await g.owned.put(row)
    for (const row of links) await g.link.put(row)
    const nodeOf = (id: object) => owners.find(row => JSON.stringify(row) === JSON.stringify(id))
    expect(await g.owner.many(IDS)).toEqual(IDS.map(nodeOf))
    for (const id of IDS) {
      const expected = { node: nodeOf(id), owneds: owneds.filter(isAt(id)), links: links.filter(isAt(id)) }
      expect(await g.owner.get(id)).toEqual(expected.node)
      expect(await g.owner.exists(id)).toBe(expected.node !== undefined)
      expect(await g.owner.collect(id, { owneds: g.owned.by.owner, links: g.link.by.owner })).toEqual(expected)
      expect(
        await g.owner.collect(id, {
          owneds: owner => g.owned.by.owner(owner).limit(1),
          links: owner => g.link.by.owner(owner).limit(1),
        }),
      ).toEqual({ node: expected.node, owneds: expected.owneds.slice(0, 1), links: expected.links.slice(0, 1) })
      expect(await g.owned.by.owner(id).all()).toEqual(expected.owneds)
      expect(await g.link.by.owner(id).all()).toEqual(expected.links)
    }
    expect(inOrder(await g.owner.scan().all())).toEqual(inOrder(owners))
    expect(inOrder(await g.owned.scan().all())).toEqual(inOrder(owneds))
    expect(inOrder(await g.link.scan().all())).toEqual(inOrder(links))
    // Edges and owned nodes need no nodes at their ends here.
    const faults = Object.keys((await verify(g)).faults)
    expect(faults.filter(code => !/^(edge\.dangling|owner\.missing)$/.test(code))).toEqual([])
  }
  await fc.assert(fc.asyncProperty(provenLayout, someIds, someOwned, someLinks, holds), { numRuns: runs(100) })
})
