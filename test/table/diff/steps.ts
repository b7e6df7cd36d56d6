import { expect } from 'vitest'
import type { TableDesign } from '../../../src/layout/design.js'
import { diff } from '../../../src/table/diff/difference.js'
import { described } from './live-table.js'

/** The steps from a table of one design to another. Fails if a change is impossible. */
export async function steps(from: TableDesign, to: TableDesign) {
  const { steps: all, impossible } = diff(to, await described(from))
  expect(impossible).toEqual([])
  return all
}

export async function codes(from: TableDesign, to: TableDesign) {
  return (await steps(from, to)).map(step => step.code)
}
