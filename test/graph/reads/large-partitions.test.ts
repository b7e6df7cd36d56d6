import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { edge, graph, node, open, string } from '../../../src/index.js'
import { verify } from '../../../src/jobs/index.js'

const album = node('album', { id: string() }, { id: 'id' })
const photo = node('photo', { no: string(), pixels: string() }, { id: 'no', within: album })
const tag = node('tag', { id: string() }, { id: 'id' })
const tagged = edge('tagged', { photo, tag }, {})
const gallery = graph('gallery', [album, photo, tag, tagged])

const PHOTOS = 20
const ids = Array.from({ length: PHOTOS }, (_, no) => ({ album: 'a', no: String(no).padStart(2, '0') }))

/** Twenty nodes of 75 kB in one partition: BatchGetItem returns 1 MB of a partition in one response. */
async function openGallery() {
  const g = await open(gallery, memory())
  await g.album.put({ id: 'a' })
  await g.tag.put({ id: 'sea' })
  for (const id of ids) {
    await g.photo.put({ ...id, pixels: 'x'.repeat(75_000) })
    await g.tagged.put({ photo: id, tag: 'sea' })
  }
  return g
}

describe('more than 1 MB of nodes in one partition', () => {
  it('many() reads the partition completely', async () => {
    const g = await openGallery()
    const rows = await g.photo.many(ids)
    expect(rows.map(row => row?.no)).toEqual(ids.map(({ no }) => no))
  })

  it('nodes() and withNodes() of a path read the partition completely', async () => {
    const g = await openGallery()
    expect(await g.tagged.by.tag('sea').nodes().all()).toHaveLength(PHOTOS)
    const pairs = await g.tagged.by.tag('sea').withNodes().all()
    expect(pairs.every(pair => Object.values(pair).every(value => value !== undefined))).toBe(true)
  })

  it('verify reports nothing', async () => {
    const g = await openGallery()
    expect((await verify(g)).faults).toEqual({})
  })
})
