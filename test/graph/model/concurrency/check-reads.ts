import { expect } from 'vitest'
import type { DeclaredType } from '../../../../src/layout/slots.js'
import { inOneOrder, type Row, textOf } from '../reference/identity.js'
import type { Model } from '../reference/model.js'
import { found } from '../reference/reads.js'
import type { Command } from '../runner/commands.js'
import { type Handles, queryOf } from '../runner/handles.js'
import { shown } from '../runner/outcome.js'
import { plainly } from './canonical-value.js'
import type { Begun } from './check-outcome.js'
import type { Moments } from './state-history.js'

type Of<Does extends Command['does']> = Extract<Command, { does: Does }>

/**
 * Reads during writes: every returned row existed at some moment, and every row that existed throughout is returned.
 */
export async function readAmidWrites(moments: Moments, handles: Handles, begun: Begun): Promise<void> {
  const { command, by, from } = begun
  const told = `${by} ${shown(command)}`
  const expectAny = (value: unknown, of: (seen: Model) => unknown) => {
    const possible = moments.from(from).map(({ seen }) => textOf(plainly(of(seen))))
    expect(possible, `${told} reads what never was`).toContain(textOf(plainly(value)))
  }
  switch (command.does) {
    case 'get': {
      const { type, key } = command.named
      return expectAny(await handles[type]!.get(key, { consistent: command.consistent }), seen => seen.get(type, key))
    }
    case 'many': {
      const rows = await handles[command.type]!.many(command.keys)
      for (const [i, key] of command.keys.entries()) expectAny(rows[i], seen => seen.get(command.type, key))
      return
    }
    case 'together': {
      const { how, named } = command
      const rows = await handles[how](named.map(({ type, key }) => handles[type]!.get(key)))
      if (how === '$transact') return expectAny(rows, seen => named.map(({ type, key }) => seen.get(type, key)))
      for (const [i, { type, key }] of named.entries()) expectAny(rows[i], seen => seen.get(type, key))
      return
    }
    case 'unique': {
      const { type, name, value } = command
      const row = (await handles[type]!.by[name]!(value)) as unknown
      return expectAny(row, seen => rowsOf(seen, type).find(each => each[name] === value))
    }
    case 'collect': {
      const asked = command.parts.map((part, i) => [`part${i}`, () => queryOf(handles, part)] as const)
      const { node } = await handles[command.type]!.collect(command.id, Object.fromEntries(asked))
      return expectAny(node, seen => seen.get(command.type, command.id))
    }
    case 'scan': {
      const type = moments.now.model.type(command.type)
      const rows = ((await handles[command.type]!.scan().all()) as Row[]).map(row => inOneOrder(type, row))
      return expectRows(moments, begun, rows, seen => rowsOf(seen, command.type).map(row => inOneOrder(type, row)))
    }
    default:
      return readPath(moments, handles, begun, command as Of<'path'>)
  }
}

function rowsOf(seen: Model, name: string): Row[] {
  const type: DeclaredType = seen.type(name)
  return seen.stored(name).map(row => seen.seen(type, row))
}

async function readPath(moments: Moments, handles: Handles, begun: Begun, command: Of<'path'>): Promise<void> {
  const { limit: _, only: __, nodes, ...read } = command.read
  // Edges are read before their nodes, so the two may be from different moments.
  if (nodes) {
    await queryOf(handles, command.read).all()
    return
  }
  const rows: Row[] = []
  if (command.manner === 'pages') {
    let cursor: string | undefined
    do {
      const page = await queryOf(handles, read).page({ limit: command.pageRows, cursor })
      rows.push(...(page.items as Row[]))
      cursor = page.cursor
    } while (cursor !== undefined)
  } else rows.push(...((await queryOf(handles, read).all()) as Row[]))
  expectRows(moments, begun, rows, seen => found(seen, read) as Row[])
}

/** Each returned row existed at some moment, and each unchanged row is returned exactly once. */
function expectRows(
  moments: Moments,
  { by, command, from }: Begun,
  rows: readonly Row[],
  of: (seen: Model) => readonly Row[],
): void {
  const told = `${by} ${shown(command)}`
  const text = (row: Row) => textOf(plainly(row))
  const all = moments.from(from).map(({ seen }) => of(seen).map(text))
  const mine = rows.map(text)
  const ever = new Set(all.flat())
  expect(
    mine.filter(row => !ever.has(row)),
    `${told} reads what never was`,
  ).toEqual([])
  const stayed = all[0]!.filter(row => all.every(each => each.includes(row)))
  const times = stayed.map(row => mine.filter(each => each === row).length)
  expect(
    times.every(each => each === 1),
    `${told} reads ${shown(mine)}, and ${shown(stayed)} stayed`,
  ).toBe(true)
}
