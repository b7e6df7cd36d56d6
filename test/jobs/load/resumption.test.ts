import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { created, edge, graph, node, open, type Store, string, ulid, wrap } from '../../../src/index.js'
import { type FailedRow, type LoadCursor, load } from '../../../src/jobs/load/load.js'
import { cinema, lines, movie, source } from './sources.js'

describe('an interrupted load', () => {
  const note = node('note', { id: ulid(), text: string(), at: created() }, { id: 'id' })
  const tagged = edge('tagged', { note, movie }, {})
  const notes = graph('notes', [note, movie, tagged])
  const text = Array.from({ length: 3000 }, (_, i) => `{"type":"note","text":"${i}"}\n`).join('')

  /** Fails each write with this probability, before or after applying it. */
  const dying = (store: Store, after: number) => {
    let left = after
    return wrap(store, async (operation, request, options, send) => {
      if (operation !== 'batchWriteItem') return send(request, options)
      if (left-- === 0) {
        await send(request, options)
        throw new Error('crashed')
      }
      if (left < 0) throw new Error('crashed')
      return send(request, options)
    })
  }

  it('resumes at its cursor and creates no second row for a generated id', async () => {
    const store = memory()
    let place: LoadCursor | undefined
    const from = () => ({
      from: place,
      progress: (told: LoadCursor) => {
        place = JSON.parse(JSON.stringify(told))
      },
    })
    for (const after of [0, 30, 45]) {
      const g = await open(notes, dying(store, after), { create: true })
      await expect(load(g, [source('n', 'json', text, { chunkBytes: 5000 })], from())).rejects.toThrow('crashed')
    }
    const g = await open(notes, store)
    const counts = await load(g, [source('n', 'json', text, { chunkBytes: 5000 })], from())
    expect(counts).toMatchObject({ written: 3000, failed: 0 })
    const all = await g.note.scan().all()
    expect(all.length).toBe(3000)
    expect(new Set(all.map(({ text }) => text)).size).toBe(3000)
    expect(new Set(all.map(({ at }) => at.getTime())).size).toBe(1)
  })

  it('resumes at every reported cursor with the same rows and line numbers', async () => {
    const people = Array.from({ length: 70 }, (_, i) => `"${i}\n",${i === 40 ? 'young' : 1900 + i}\n`)
    const sources = [
      source(
        'roles',
        'json',
        lines(...people.slice(50).map((_, i) => ({ movie: 'Big', actor: `${i}\n`, character: 'x' }))),
        {
          type: 'role',
          chunkBytes: 500,
        },
      ),
      source('actors', 'csv', `name,born\n${people.join('')}`, { type: 'actor', chunkBytes: 500 }),
      source('movies', 'json', lines({ name: 'Big', year: 1988 }, { name: 'Big', year: 1988.5 }), { type: 'movie' }),
    ]
    /** Returns the result of a load that is interrupted after this many cursors and resumed at the last one. */
    const ending = async (cut: number) => {
      const store = memory()
      const failed = new Map<string, FailedRow>()
      const places: string[] = []
      const options = {
        concurrency: 1,
        failed: (rows: readonly FailedRow[]) => {
          for (const row of rows) failed.set(`${row.source} ${row.line}`, row)
        },
        progress: (told: LoadCursor) => {
          places.push(JSON.stringify(told))
          if (places.length === cut) throw new Error('cut off')
        },
      }
      const begun = load(await open(cinema, store, { create: true }), sources, options)
      if (cut > 0) await expect(begun).rejects.toThrow('cut off')
      else await begun
      const g = await open(cinema, store)
      const { written, failed: count } = await load(g, sources, { ...options, from: JSON.parse(places.at(-1)!) })
      const actors = (await g.actor.scan().all()).map(({ name, born }) => `${name}${born}`).sort()
      return {
        told: places.length,
        written,
        count,
        failed: [...failed.values()],
        actors,
        movie: await g.movie.get('Big'),
      }
    }
    const { told, ...whole } = await ending(0)
    expect(whole).toMatchObject({ written: 69 + 20 + 1, count: 2, movie: { cast: 20 } })
    expect(whole.failed.map(({ source, line }) => [source, line])).toEqual([
      ['actors', 82],
      ['movies', 2],
    ])
    expect(told).toBeGreaterThan(9)
    for (let cut = 1; cut < told; cut++) expect(await ending(cut)).toMatchObject(whole)
  })

  it('stops between rounds when its signal is aborted', async () => {
    const store = memory()
    const g = await open(notes, store)
    const stop = new AbortController()
    let place: LoadCursor | undefined
    const progress = (told: LoadCursor) => {
      place = told
      if (told.written > 0) stop.abort()
    }
    const sources = [source('n', 'json', text, { chunkBytes: 5000 })]
    await expect(load(g, sources, { progress, signal: stop.signal })).rejects.toThrow('aborted')
    expect(place!.written).toBeGreaterThan(0)
    expect(place!.written).toBeLessThan(3000)
    expect((await g.note.scan().all()).length).toBe(place!.written)
    expect(await load(g, sources, { from: place })).toMatchObject({ written: 3000 })
    expect((await g.note.scan().all()).length).toBe(3000)
  })

  it('rejects an invalid cursor, or one of more sources, instead of ending at once', async () => {
    const g = await open(notes, memory())
    const sources = [source('n', 'json', text)]
    let place: LoadCursor | undefined
    const progress = (told: LoadCursor) => {
      place ??= told
    }
    await load(g, sources, { progress })
    const { seed: _, ...seedless } = place!
    for (const from of [{}, [], 'place', { pass: 0, passes: 1 }, seedless, { ...place!, source: 7 }])
      await expect(load(g, sources, { from: from as LoadCursor })).rejects.toMatchObject({ code: 'call.argument' })
    expect(await load(g, sources, { from: place })).toMatchObject({ written: 3000 })
  })

  it('rejects rows whose id has a different default each time', async () => {
    const odd = node('odd', { id: string().default(() => String(Math.random())) }, { id: 'id' })
    const g = await open(graph('odds', [odd]), memory())
    const failed: FailedRow[] = []
    await load(g, [source('n', 'json', '{"type":"odd"}')], { failed: rows => void failed.push(...rows) })
    expect(failed).toMatchObject([
      { code: 'load.row', message: expect.stringContaining('its default differs each time') },
    ])
  })
})
