import { expect, it } from 'vitest'
import { layout } from '../../../src/layout/layout.js'
import { findings } from '../../../src/table/findings/findings.js'
import { date, edge, graph, node, string } from '../../layout/declarations.js'

const user = node('user', { id: string() }, { id: 'id' })
const follow = edge(
  'follow',
  { follower: user, followee: user },
  { since: date() },
  { by: { follower: { order: ['since'], as: 'local' }, followee: { as: 'none' } } },
)
const found = (index: object) =>
  findings(layout(graph('social', [user, follow]), { indexes: { LSI1: { keys: ['PK', 'LSI1SK'], ...index } } }))

it('a local path whose index is configured as global is a finding', () => {
  expect(found({})).toEqual([
    {
      code: 'index.local',
      rejected: false,
      index: 'LSI1',
      message:
        "follow.by.follower is to be local, and the index LSI1 is given as a global one, which is never read consistently: say kind: 'local' of it, or 'index' of the path.",
    },
  ])
  // A local index has another finding: the maximum size of a partition.
  expect(found({ kind: 'local' }).map(({ code }) => code)).toEqual(['collection.outgrows'])
})
