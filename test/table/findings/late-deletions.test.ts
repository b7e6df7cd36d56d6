import { describe, expect, it } from 'vitest'
import { layout } from '../../../src/layout/layout.js'
import { findings } from '../../../src/table/findings/findings.js'
import { counter, edge, embedded, graph, node, oneOf, string } from '../../layout/declarations.js'

const course = node('course', { id: string() }, { id: 'id' })
const student = node('student', { id: string(), takes: counter(), held: embedded({}) }, { id: 'id' })

const codes = (options: object) =>
  findings(
    layout(
      graph('school', [
        course,
        student,
        edge('takes', { course, student }, { how: oneOf('live', 'late') }, options as never),
      ]),
    ),
  ).map(({ code }) => code)

describe('edges with onDelete that are read from an index', () => {
  it('an onDelete that reads a lagging index is a finding', () => {
    const takes = edge('takes', { course, student }, {}, { onDelete: { student: 'refuse' } })
    expect(findings(layout(graph('school', [course, student, takes])))).toEqual([
      {
        code: 'index.late',
        rejected: false,
        index: 'GSI1',
        message:
          "takes.by.student, which says 'refuse', reads the index GSI1: an edge that is put right before its student is deleted may not be in it yet, and is left behind. Say 'mirror' there, or count its edges in the student by transaction.",
      },
    ])
    expect(codes({ onDelete: { course: 'cascade', student: 'cascade' } })).toEqual(['index.late'])
  })

  it('an onDelete is not a finding if edges are left, stored in the table, or counted in the node', () => {
    const onDelete = { student: 'cascade' }
    expect(codes({ onDelete: { course: 'cascade' } })).toEqual([])
    expect(codes({ onDelete, by: { student: { as: 'mirror' } } })).toEqual([])
    expect(codes({ onDelete, count: { student: 'takes' } })).toEqual([])
    expect(codes({ onDelete, embed: { student: { into: 'held', max: 9 } } })).toEqual([])
  })

  it('an onDelete is a finding if the node counts only some of the edges', () => {
    const count = { student: { into: 'takes', where: { how: 'live' } } }
    expect(codes({ onDelete: { student: 'cascade' }, count })).toEqual(['index.late'])
  })
})
