import { beforeAll, describe, expect, it } from 'vitest'
import { complaints } from './compiler.js'
import { calls } from './example-calls.js'

type Name = keyof typeof calls

/** A value as a TypeScript literal with its actual members. */
function written(value: unknown): string {
  if (value instanceof Date) return `new Date(${value.getTime()})`
  if (value instanceof Set) return `new Set([${[...value].map(written).join(', ')}])`
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`
  if (Object(value) !== value) return typeof value === 'string' ? JSON.stringify(value) : String(value)
  const members = Object.entries(value as object).map(([name, member]) => `${JSON.stringify(name)}: ${written(member)}`)
  return `{ ${members.join(', ')} }`
}

/** Calls whose rows together contain every optional member. */
const ALL: readonly Name[] = ['all persons', 'all films', 'all scenes', 'all plays', 'all posts', 'all knows']

const answerOf = (name: Name) => `Awaited<ReturnType<(typeof calls)['${name}']>>`

/** The compiler's errors for the results and for row members, by call name. */
async function judged() {
  const answers: [Name, unknown][] = []
  for (const name of Object.keys(calls) as Name[]) answers.push([name, await calls[name]()])
  const types = answers.map(([name, value]) => `${answerOf(name)} = ${written(value)}`)
  const members = ALL.map(name => {
    const rows = answers.find(([each]) => each === name)![1] as readonly object[]
    const seen = Object.fromEntries(rows.flatMap(row => Object.keys(row).map(member => [member, 1])))
    return `Record<keyof ${answerOf(name)}[number], 1> = ${written(seen)}`
  })
  const names = [...answers.map(([name]) => name), ...ALL]
  const lines = [...types, ...members].map((line, at) => `export const v${at}: ${line}`)
  const found = await complaints(["import type { calls } from './example-calls.js'", ...lines].join('\n'))
  const said = found.map(({ line, words }) => ({ at: line - 2, words: `${names[line - 2]}: ${words}` }))
  return {
    types: said.filter(({ at }) => at < types.length).map(({ words }) => words),
    members: said.filter(({ at }) => at >= types.length).map(({ words }) => words),
  }
}

describe('the types of results', () => {
  let said: Awaited<ReturnType<typeof judged>>
  beforeAll(async () => {
    said = await judged()
  }, 120_000)

  it('each result has the type of its call, with every required member and no other', () => {
    expect(said.types).toEqual([])
  })

  it('the type of a row has no member that never occurs', () => {
    expect(said.members).toEqual([])
  })
})
